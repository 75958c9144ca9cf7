//! Flattens structs: the members of the bases first, then their own.

use super::scope::Scope;
use super::shapes::Shapes;
use super::{FieldRow, Set, StructRow};
use crate::wire::ast::{Field, Item, ItemKind, Struct};
use crate::wire::diagnostic::Diagnostic;

/// A struct has a bit for each member in a `u64`.
const MAX_FIELDS: usize = 64;

/// Rows of the structs of all items, in the order of their first items.
pub(super) fn rows<'a>(
    scope: &'a Scope<'a>,
    shapes: &mut Shapes<'a>,
    faults: &mut Vec<Diagnostic>,
) -> Vec<StructRow> {
    let mut rows: Vec<StructRow> = Vec::new();
    for &(item, _) in &scope.items {
        if matches!(item.kind, ItemKind::Struct(_))
            && !rows.iter().any(|row| row.name == item.name.text)
        {
            rows.push(row(scope, shapes, item, faults));
        }
    }
    rows
}

/// The row of all structs of a name, of which `first` is the first.
fn row<'a>(
    scope: &'a Scope<'a>,
    shapes: &mut Shapes<'a>,
    first: &'a Item,
    faults: &mut Vec<Diagnostic>,
) -> StructRow {
    let mut row = StructRow {
        name: first.name.text.clone(),
        doc: first.doc.clone(),
        set: Set::default(),
        fields: Vec::new(),
        required: vec![0; scope.revisions.len()],
    };
    let mut found: Vec<(usize, Vec<(&Field, &str)>)> = Vec::new();
    for &index in scope
        .types
        .get(first.name.text.as_str())
        .into_iter()
        .flatten()
    {
        let (item, set) = scope.items[index];
        let ItemKind::Struct(structure) = &item.kind else {
            continue;
        };
        row.set = row.set.union(set);
        declare(scope, &mut row, structure);
        found.extend(
            set.iter()
                .map(|revision| (revision, members(scope, item, revision, faults))),
        );
    }
    // A member of a base may exist only where the struct does not.
    row.fields.retain(|known| {
        found
            .iter()
            .flat_map(|(_, members)| members)
            .any(|(field, _)| field.name.text == known.name)
    });
    if row.fields.len() > MAX_FIELDS {
        let message = format!(
            "found {} members in `{}`, expected at most {MAX_FIELDS}",
            row.fields.len(),
            row.name
        );
        faults.push(Diagnostic::new(&first.name.place, message));
        return row;
    }
    for (revision, members) in found {
        fill(scope, shapes, &mut row, &members, revision, faults);
    }
    row
}

/// Adds the names of all members in the order in which they are written, in any revision.
fn declare(scope: &Scope<'_>, row: &mut StructRow, structure: &Struct) {
    for base in &structure.bases {
        for &index in scope
            .types
            .get(base.name.text.as_str())
            .into_iter()
            .flatten()
        {
            if let ItemKind::Struct(base) = &scope.items[index].0.kind {
                declare(scope, row, base);
            }
        }
    }
    for field in &structure.fields {
        match row
            .fields
            .iter_mut()
            .find(|known| known.name == field.name.text)
        {
            Some(known) if !field.doc.is_empty() => known.doc.clone_from(&field.doc),
            Some(_) => {}
            None => row.fields.push(FieldRow {
                name: field.name.text.clone(),
                doc: field.doc.clone(),
                shape: vec![None; scope.revisions.len()],
            }),
        }
    }
}

/// Sets the shapes of the members that exist in a revision.
fn fill<'a>(
    scope: &'a Scope<'a>,
    shapes: &mut Shapes<'a>,
    row: &mut StructRow,
    members: &[(&'a Field, &'a str)],
    revision: usize,
    faults: &mut Vec<Diagnostic>,
) {
    for (field, owner) in members {
        let shape = shapes.shape(&field.ty, revision);
        if shape.is_none() {
            let message = format!(
                "found no shape for `{}` of `{owner}` in {}",
                field.name.text, scope.revisions[revision]
            );
            faults.push(Diagnostic::new(&field.name.place, message));
        }
        if let Some(index) = row
            .fields
            .iter()
            .position(|known| known.name == field.name.text)
        {
            row.fields[index].shape[revision] = shape;
            row.required[revision] |= u64::from(!field.optional) << index;
        }
    }
}

/// The members of a struct in a revision with the struct that wrote each. A member takes the place
/// of one of the same name in a base, as in TypeScript; two bases may share a member only if they
/// write the same.
fn members<'a>(
    scope: &'a Scope<'a>,
    item: &'a Item,
    revision: usize,
    faults: &mut Vec<Diagnostic>,
) -> Vec<(&'a Field, &'a str)> {
    let ItemKind::Struct(structure) = &item.kind else {
        return Vec::new();
    };
    let own: Vec<&Field> = structure
        .fields
        .iter()
        .filter(|field| exists(scope, item, field, revision))
        .collect();
    let mut found: Vec<(&Field, &str)> = Vec::new();
    for base in &structure.bases {
        if !scope
            .checked(&base.marks, scope.all(), &base.name)
            .contains(revision)
        {
            continue;
        }
        let Some((_, base_item)) = scope.find(&base.name.text, revision) else {
            continue;
        };
        for (field, owner) in members(scope, base_item, revision, faults) {
            let name = &field.name.text;
            if own.iter().any(|field| field.name.text == *name) {
                continue;
            }
            match found.iter().find(|(known, _)| known.name.text == *name) {
                None => found.push((field, owner)),
                Some((known, _)) if same(known, field) => {}
                Some((_, other)) => {
                    let message = format!(
                        "found `{name}` in the bases `{other}` and `{owner}` with different types in {}, expected `{}` to write it itself",
                        scope.revisions[revision], item.name.text
                    );
                    faults.push(Diagnostic::new(&base.name.place, message));
                }
            }
        }
    }
    found.extend(
        own.into_iter()
            .map(|field| (field, item.name.text.as_str())),
    );
    found
}

fn exists(scope: &Scope<'_>, item: &Item, field: &Field, revision: usize) -> bool {
    let within = scope.checked(&item.marks, scope.all(), &item.name);
    scope
        .checked(&field.marks, within, &field.name)
        .contains(revision)
}

fn same(one: &Field, other: &Field) -> bool {
    one.optional == other.optional && super::shapes::text(&one.ty) == super::shapes::text(&other.ty)
}
