//! Refuses items that make no sense, before anything is laid out.

use std::collections::{BTreeMap, BTreeSet};

use super::Set;
use super::scope::{Scope, names_of, types_of};
use crate::wire::ast::{
    ArmTag, Item, ItemKind, Marks, Method, MethodKind, Name, Struct, Type, Union,
};
use crate::wire::diagnostic::{Diagnostic, Place};

/// All faults, or none.
pub(super) fn run(scope: &Scope<'_>) -> Result<(), Vec<Diagnostic>> {
    let mut check = Check {
        scope,
        faults: Vec::new(),
    };
    check.duplicate_items();
    for &(item, set) in &scope.items {
        check.item(item, set);
    }
    if check.faults.is_empty() {
        check.recursion();
        check.unused();
    }
    if check.faults.is_empty() {
        Ok(())
    } else {
        Err(check.faults)
    }
}

struct Check<'a> {
    scope: &'a Scope<'a>,
    faults: Vec<Diagnostic>,
}

impl<'a> Check<'a> {
    fn fault(&mut self, place: &Place, message: String) {
        self.faults.push(Diagnostic::new(place, message));
    }

    /// Two items of one name need disjoint ranges. Types, methods and definitions, facts, and
    /// errors are name spaces.
    fn duplicate_items(&mut self) {
        let mut types = Seen::default();
        let mut methods = Seen::default();
        let mut facts = Seen::default();
        let mut codes = Seen::default();
        let mut errors = Seen::default();
        for &(item, set) in &self.scope.items {
            let name = &item.name;
            match &item.kind {
                ItemKind::Revision => {}
                ItemKind::Fact => self.once(&mut facts, &name.text, &name.place, self.scope.all()),
                ItemKind::Method(method) => {
                    self.once(&mut methods, &name.text, &name.place, set);
                    // An input request is no message of its own, so a struct may describe it under
                    // its name.
                    if method.kind != MethodKind::Input {
                        self.once(
                            &mut types,
                            &method.definition.text,
                            &method.definition.place,
                            set,
                        );
                    }
                }
                ItemKind::Error(error) => {
                    self.once(&mut codes, &error.code.to_string(), &name.place, set);
                    self.once(&mut errors, &name.text, &name.place, set);
                }
                _ => self.once(&mut types, &name.text, &name.place, set),
            }
        }
    }

    fn once(&mut self, seen: &mut Seen, name: &str, place: &Place, set: Set) {
        if let Some((overlap, first)) = seen.add(name, place, set) {
            let message = format!(
                "found `{name}` again in {}, expected disjoint ranges; the first is at {first}",
                self.scope.show(overlap)
            );
            self.fault(place, message);
        }
    }

    fn item(&mut self, item: &'a Item, set: Set) {
        match &item.kind {
            ItemKind::Revision | ItemKind::Fact => {}
            ItemKind::Method(method) => self.method(item, method, set),
            ItemKind::Struct(structure) => self.structure(item, structure, set),
            ItemKind::Union(union) => self.union(item, union, set),
            ItemKind::Enum(values) => {
                let mut seen = Seen::default();
                let mut covered = Set::default();
                for value in values {
                    let range = self.narrow(&value.marks, set, &value.name);
                    self.once(&mut seen, &value.name.text, &value.name.place, range);
                    covered = covered.union(range);
                }
                self.covered(&item.name, "a value", set, covered);
            }
            ItemKind::Alias(ty) => self.ty(ty, set, &item.name),
            ItemKind::Error(error) => {
                let mut seen = Seen::default();
                for field in &error.data {
                    let range = self.narrow(&field.marks, set, &field.name);
                    self.once(&mut seen, &field.name.text, &field.name.place, range);
                    self.ty(&field.ty, range, &field.name);
                }
            }
        }
    }

    fn method(&mut self, item: &'a Item, method: &'a Method, set: Set) {
        let name = &item.name;
        if method.params.is_empty() && method.results.is_empty() {
            return self.fault(
                &name.place,
                format!(
                    "found nothing in `{}`, expected `params`, `result` or both",
                    name.text
                ),
            );
        }
        let mut seen = Seen::default();
        let mut answered = Set::default();
        for (field, is_result) in method
            .params
            .iter()
            .map(|field| (field, false))
            .chain(method.results.iter().map(|field| (field, true)))
        {
            let range = self.narrow(&field.marks, set, &field.name);
            self.once(&mut seen, &field.name.text, &field.name.place, range);
            self.ty(&field.ty, range, &field.name);
            if is_result {
                answered = answered.union(range);
            }
        }
        for need in &method.needs {
            let range = self.narrow(&need.marks, set, &need.path);
            self.once(&mut seen, &need.path.text, &need.path.place, range);
        }
        if method.kind == MethodKind::Notification {
            if let Some(result) = method.results.first() {
                self.fault(
                    &result.name.place,
                    "found `result`, expected none: a notification is not answered".to_owned(),
                );
            }
        } else {
            self.covered(name, "a `result`", set, answered);
        }
    }

    fn structure(&mut self, item: &'a Item, structure: &'a Struct, set: Set) {
        if structure.bases.is_empty() && structure.fields.is_empty() {
            self.fault(
                &item.name.place,
                format!(
                    "found nothing in `{}`, expected members or a base; any object is `object`",
                    item.name.text
                ),
            );
        }
        for base in &structure.bases {
            let range = self.narrow(&base.marks, set, &base.name);
            self.exists(&base.name.text, &base.name.place, range, &item.name);
            let not_struct = range
                .iter()
                .find_map(|revision| self.scope.find(&base.name.text, revision))
                .is_some_and(|(_, found)| !matches!(found.kind, ItemKind::Struct(_)));
            if not_struct {
                self.fault(
                    &base.name.place,
                    format!("found `{}`, expected a struct as base", base.name.text),
                );
            }
        }
        let mut seen = Seen::default();
        for field in &structure.fields {
            let range = self.narrow(&field.marks, set, &field.name);
            self.once(&mut seen, &field.name.text, &field.name.place, range);
            self.ty(&field.ty, range, &field.name);
        }
    }

    fn union(&mut self, item: &'a Item, union: &'a Union, set: Set) {
        let mut seen = Seen::default();
        let mut covered = Set::default();
        for arm in &union.arms {
            let label = match &arm.tag {
                ArmTag::Untagged => super::shapes::text(&arm.ty),
                ArmTag::Value(value) => format!("\"{value}\""),
                ArmTag::Absent => "absent".to_owned(),
                ArmTag::Else => "else".to_owned(),
            };
            let name = Name {
                text: label,
                place: arm.place.clone(),
            };
            let range = self.narrow(&arm.marks, set, &name);
            self.once(&mut seen, &name.text, &name.place, range);
            self.ty(&arm.ty, range, &name);
            covered = covered.union(range);
        }
        self.covered(&item.name, "a branch", set, covered);
    }

    fn covered(&mut self, name: &Name, what: &str, set: Set, covered: Set) {
        let missing = set.minus(covered);
        if !missing.is_empty() {
            let message = format!(
                "found nothing for `{}` in {}, expected {what}",
                name.text,
                self.scope.show(missing)
            );
            self.fault(&name.place, message);
        }
    }

    fn narrow(&mut self, marks: &Marks, within: Set, owner: &Name) -> Set {
        self.scope
            .narrow(marks, within, owner)
            .unwrap_or_else(|fault| {
                self.faults.push(fault);
                Set::default()
            })
    }

    fn ty(&mut self, ty: &'a Type, set: Set, owner: &Name) {
        names_of(ty, &mut |name, at| self.exists(name, &at.place, set, owner));
    }

    fn exists(&mut self, name: &str, place: &Place, set: Set, owner: &Name) {
        let existence = self.scope.existence(name);
        let missing = set.minus(existence);
        if existence.is_empty() {
            self.fault(
                place,
                format!("found `{name}`, expected the name of a struct, union, enum or type"),
            );
        } else if !missing.is_empty() {
            let message = format!(
                "found `{name}`, which does not exist in {}, expected marks on `{}` that keep to its time",
                self.scope.show(missing),
                owner.text
            );
            self.fault(place, message);
        }
    }

    /// Checks that no type contains itself, through whatever number of others.
    fn recursion(&mut self) {
        for revision in self.scope.all().iter() {
            let mut done = BTreeSet::new();
            for &name in self.scope.types.keys() {
                let mut path = Vec::new();
                if let Some((place, cycle)) = self.cycle(name, revision, &mut path, &mut done) {
                    self.fault(
                        &place,
                        format!(
                            "found `{}`, expected a type that does not contain itself",
                            cycle.join(" -> ")
                        ),
                    );
                    return;
                }
            }
        }
    }

    fn cycle(
        &self,
        name: &'a str,
        revision: usize,
        path: &mut Vec<&'a str>,
        done: &mut BTreeSet<&'a str>,
    ) -> Option<(Place, Vec<&'a str>)> {
        if done.contains(name) {
            return None;
        }
        let (_, item) = self.scope.find(name, revision)?;
        if let Some(start) = path.iter().position(|above| *above == name) {
            let mut cycle = path.split_off(start);
            cycle.push(name);
            return Some((item.name.place.clone(), cycle));
        }
        path.push(name);
        for next in uses(item) {
            if let Some(found) = self.cycle(next, revision, path, done) {
                return Some(found);
            }
        }
        path.pop();
        done.insert(name);
        None
    }

    /// Checks that every type can be reached from a method, an error or the envelope.
    fn unused(&mut self) {
        let is_root =
            |item: &Item| !item.kind.is_type() || item.name.place.file.ends_with("envelope.wire");
        let mut reached = BTreeSet::new();
        let mut open: Vec<&Item> = self
            .scope
            .items
            .iter()
            .map(|&(item, _)| item)
            .filter(|item| is_root(item))
            .collect();
        reached.extend(
            open.iter()
                .filter(|item| item.kind.is_type())
                .map(|item| item.name.text.as_str()),
        );
        while let Some(item) = open.pop() {
            for name in uses(item) {
                if reached.insert(name) {
                    open.extend(
                        self.scope
                            .types
                            .get(name)
                            .into_iter()
                            .flatten()
                            .map(|&index| self.scope.items[index].0),
                    );
                }
            }
        }
        for &(item, _) in &self.scope.items {
            if item.kind.is_type() && !reached.contains(item.name.text.as_str()) {
                self.fault(&item.name.place, format!("found `{}`, which nothing uses, expected a method, error or used type that names it", item.name.text));
            }
        }
    }
}

/// The types that an item names, in any revision.
fn uses(item: &Item) -> Vec<&str> {
    let mut names = Vec::new();
    if let ItemKind::Struct(structure) = &item.kind {
        names.extend(structure.bases.iter().map(|base| base.name.text.as_str()));
    }
    for ty in types_of(item) {
        names_of(ty, &mut |name, _| names.push(name));
    }
    names
}

/// Names with the ranges in which they have been seen.
#[derive(Default)]
struct Seen(BTreeMap<String, Vec<(Set, Place)>>);

impl Seen {
    /// Adds a name; if it has been seen in one of these revisions, returns which and where.
    fn add(&mut self, name: &str, place: &Place, set: Set) -> Option<(Set, Place)> {
        let before = self.0.entry(name.to_owned()).or_default();
        let clash = before
            .iter()
            .map(|(other, at)| (other.intersection(set), at.clone()))
            .find(|(overlap, _)| !overlap.is_empty());
        before.push((set, place.clone()));
        clash
    }
}
