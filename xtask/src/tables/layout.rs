//! Fills the rows, once the checks have passed.

use super::scope::Scope;
use super::shapes::{self, Shapes};
use super::{
    AliasRow, ErrorRow, FactRow, FormRow, MethodRow, Set, ShapeId, StructRow, Tables, UnionRow,
};
use crate::wire::ast::{ArmTag, Error, Field, Item, ItemKind, Method, Union};
use crate::wire::diagnostic::Diagnostic;

/// The tables, or the faults that only show when shapes are known.
pub(super) fn run<'a>(scope: &'a Scope<'a>) -> Result<Tables, Vec<Diagnostic>> {
    let mut faults = Vec::new();
    let mut shapes = Shapes::new(scope);
    let structs = super::structs::rows(scope, &mut shapes, &mut faults);
    let mut unions = unions(scope, &mut shapes, &structs, &mut faults);
    let (methods, errors) = methods_and_errors(scope, &mut shapes, &unions, &mut faults);
    // Last, so that a name alone moves no shape of the traffic.
    let aliases = aliases(scope, &mut shapes);
    if !faults.is_empty() {
        return Err(faults);
    }
    let (rows, places) = shapes.finish();
    unions.extend(places);
    Ok(Tables {
        revisions: scope.revisions.iter().map(ToString::to_string).collect(),
        facts: facts(scope),
        shapes: rows,
        structs,
        enums: shapes::enums(scope),
        unions,
        aliases,
        methods,
        errors,
    })
}

/// A row for each alias, sorted. Structs, enums and unions get a shape, too.
fn aliases<'a>(scope: &'a Scope<'a>, shapes: &mut Shapes<'a>) -> Vec<AliasRow> {
    let mut rows: Vec<AliasRow> = Vec::new();
    for &(item, set) in &scope.items {
        let ItemKind::Alias(ty) = &item.kind else {
            // A value can be checked against any name, whether or not a message refers to it.
            shapes.add_named(item);
            continue;
        };
        let index = rows
            .iter()
            .position(|row| row.name == item.name.text)
            .unwrap_or_else(|| {
                rows.push(AliasRow {
                    name: item.name.text.clone(),
                    doc: item.doc.clone(),
                    shape: vec![None; scope.revisions.len()],
                });
                rows.len() - 1
            });
        for revision in set.iter() {
            rows[index].shape[revision] = shapes.shape(ty, revision);
        }
    }
    rows.sort_by(|one, other| one.name.cmp(&other.name));
    rows
}

fn facts(scope: &Scope<'_>) -> Vec<FactRow> {
    let facts = scope
        .items
        .iter()
        .filter(|(item, _)| matches!(item.kind, ItemKind::Fact));
    facts
        .map(|&(item, set)| FactRow {
            name: item.name.text.clone(),
            doc: item.doc.clone(),
            set,
        })
        .collect()
}

fn unions<'a>(
    scope: &'a Scope<'a>,
    shapes: &mut Shapes<'a>,
    structs: &[StructRow],
    faults: &mut Vec<Diagnostic>,
) -> Vec<UnionRow> {
    let mut rows: Vec<UnionRow> = Vec::new();
    for &(item, set) in &scope.items {
        let ItemKind::Union(union) = &item.kind else {
            continue;
        };
        let tag = union.tag.as_ref().map(|tag| tag.text.as_str());
        // Rows are numbered by first appearance, as here.
        let Some(index) = shapes.union_index(&item.name.text, tag) else {
            continue;
        };
        if index == rows.len() {
            rows.push(UnionRow {
                name: item.name.text.clone(),
                doc: item.doc.clone(),
                set: Set::default(),
                tag: tag.map(str::to_owned),
                arms: Vec::new(),
            });
        }
        rows[index].set = rows[index].set.union(set);
        arms(
            scope,
            shapes,
            union,
            item,
            set,
            structs,
            &mut rows[index],
            faults,
        );
    }
    tagged_objects(scope, shapes, &rows, faults);
    rows
}

#[expect(
    clippy::too_many_arguments,
    reason = "the state of one loop, split off for its length"
)]
fn arms<'a>(
    scope: &'a Scope<'a>,
    shapes: &mut Shapes<'a>,
    union: &'a Union,
    item: &'a Item,
    set: Set,
    structs: &[StructRow],
    row: &mut UnionRow,
    faults: &mut Vec<Diagnostic>,
) {
    for arm in &union.arms {
        let range = scope.checked(&arm.marks, set, &item.name);
        let mut found = vec![None; scope.revisions.len()];
        for revision in range.iter() {
            let Some(shape) = shapes.shape(&arm.ty, revision) else {
                continue;
            };
            found[revision] = Some(shape);
            if let (ArmTag::Value(value), Some(tag)) = (&arm.tag, &row.tag)
                && let Some(literal) = shapes::literal(shapes, structs, shape, tag, revision)
                && literal != value
            {
                let message = format!(
                    "found the branch \"{value}\", expected \"{literal}\", which its type demands of `{tag}`"
                );
                faults.push(Diagnostic::new(&arm.place, message));
            }
        }
        for arm in shapes::arm_rows(&arm.tag, &found) {
            match row
                .arms
                .iter_mut()
                .find(|known| known.tag == arm.tag && known.shape == arm.shape)
            {
                Some(known) => known.set = known.set.union(arm.set),
                None => row.arms.push(arm),
            }
        }
    }
}

/// Checks that every branch is an object: a tag is a member.
fn tagged_objects(
    scope: &Scope<'_>,
    shapes: &Shapes<'_>,
    rows: &[UnionRow],
    faults: &mut Vec<Diagnostic>,
) {
    for row in rows.iter().filter(|row| row.tag.is_some()) {
        if row
            .arms
            .iter()
            .all(|arm| shapes::is_object(shapes, rows, arm.shape))
        {
            continue;
        }
        if let Some(item) = scope
            .items
            .iter()
            .map(|(item, _)| item)
            .find(|item| item.name.text == row.name && item.kind.is_type())
        {
            faults.push(Diagnostic::new(
                &item.name.place,
                format!(
                    "found a branch of `{}` that is not an object, expected one that has the tag",
                    row.name
                ),
            ));
        }
    }
}

fn methods_and_errors<'a>(
    scope: &'a Scope<'a>,
    shapes: &mut Shapes<'a>,
    unions: &[UnionRow],
    faults: &mut Vec<Diagnostic>,
) -> (Vec<MethodRow>, Vec<ErrorRow>) {
    let mut methods: Vec<MethodRow> = Vec::new();
    let mut errors = Vec::new();
    for &(item, set) in &scope.items {
        match &item.kind {
            ItemKind::Method(method) => {
                let index = methods
                    .iter()
                    .position(|row| row.name == item.name.text)
                    .unwrap_or_else(|| {
                        methods.push(MethodRow {
                            name: item.name.text.clone(),
                            doc: item.doc.clone(),
                            forms: vec![None; scope.revisions.len()],
                        });
                        methods.len() - 1
                    });
                for revision in set.iter() {
                    methods[index].forms[revision] = Some(form(
                        scope, shapes, unions, method, item, set, revision, faults,
                    ));
                }
            }
            ItemKind::Error(error) => errors.extend(error_rows(scope, shapes, error, item, set)),
            _ => {}
        }
    }
    methods.sort_by(|one, other| one.name.cmp(&other.name));
    (methods, errors)
}

#[expect(
    clippy::too_many_arguments,
    reason = "the state of one loop, split off for its length"
)]
fn form<'a>(
    scope: &'a Scope<'a>,
    shapes: &mut Shapes<'a>,
    unions: &[UnionRow],
    method: &'a Method,
    item: &'a Item,
    set: Set,
    revision: usize,
    faults: &mut Vec<Diagnostic>,
) -> FormRow {
    let mut pick = |fields: &'a [Field]| -> (ShapeId, bool) {
        let Some(field) = fields.iter().find(|field| {
            scope
                .checked(&field.marks, set, &field.name)
                .contains(revision)
        }) else {
            return (None, false);
        };
        let shape = shapes.shape(&field.ty, revision);
        if shape.is_some_and(|shape| !shapes::is_object(shapes, unions, shape)) {
            let message = format!(
                "found `{}` for `{}`, expected a type of objects",
                shapes::text(&field.ty),
                field.name.text
            );
            faults.push(Diagnostic::new(&field.ty.place, message));
        }
        (shape, !field.optional)
    };
    let (params, params_required) = pick(&method.params);
    let (result, _) = pick(&method.results);
    let needs = method.needs.iter().filter(|need| {
        scope
            .checked(&need.marks, set, &item.name)
            .contains(revision)
    });
    FormRow {
        kind: method.kind,
        definition: method.definition.text.clone(),
        from_client: method.from_client,
        from_server: method.from_server,
        params,
        params_required,
        result,
        needs: needs.map(|need| need.parts.clone()).collect(),
    }
}

/// A row for each shape that the data of a code has in time.
fn error_rows<'a>(
    scope: &'a Scope<'a>,
    shapes: &mut Shapes<'a>,
    error: &'a Error,
    item: &'a Item,
    set: Set,
) -> Vec<ErrorRow> {
    let mut rows: Vec<ErrorRow> = Vec::new();
    for revision in set.iter() {
        let field = error.data.iter().find(|field| {
            scope
                .checked(&field.marks, set, &field.name)
                .contains(revision)
        });
        let data = field.and_then(|field| shapes.shape(&field.ty, revision));
        match rows.iter_mut().find(|row| row.data == data) {
            Some(row) => row.set = row.set.with(revision),
            None => rows.push(ErrorRow {
                code: error.code,
                name: item.name.text.clone(),
                doc: item.doc.clone(),
                set: Set::default().with(revision),
                data,
            }),
        }
    }
    rows
}
