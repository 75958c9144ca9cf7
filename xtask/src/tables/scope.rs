//! Revisions, ranges and names.

use std::collections::BTreeMap;

use super::Set;
use crate::wire::ast::{Item, ItemKind, Marks, Name, Type, TypeKind};
use crate::wire::diagnostic::Diagnostic;

/// The most revisions that a set of bits can hold.
const MAX_REVISIONS: usize = 8;

/// All items with their ranges, and the types by name.
pub(super) struct Scope<'a> {
    /// The dates, oldest first.
    pub(super) revisions: Vec<&'a str>,
    /// The items, each with the revisions that have it.
    pub(super) items: Vec<(&'a Item, Set)>,
    /// Indexes into `items` of the types of a name; their ranges are disjoint.
    pub(super) types: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Scope<'a> {
    pub(super) fn new(revisions: Vec<&'a str>, items: &'a [Item]) -> Result<Self, Vec<Diagnostic>> {
        let mut scope = Self {
            revisions,
            items: Vec::new(),
            types: BTreeMap::new(),
        };
        let mut faults = Vec::new();
        let all = scope.all();
        for item in items {
            match scope.narrow(&item.marks, all, &item.name) {
                Ok(set) => scope.items.push((item, set)),
                Err(fault) => faults.push(fault),
            }
        }
        for (index, &(item, _)) in scope.items.iter().enumerate() {
            if item.kind.is_type() {
                scope.types.entry(&item.name.text).or_default().push(index);
            }
        }
        if faults.is_empty() {
            Ok(scope)
        } else {
            Err(faults)
        }
    }

    /// Every revision.
    pub(super) fn all(&self) -> Set {
        Set::range(0, self.revisions.len() - 1)
    }

    /// The revisions of `within` that the marks leave; the fault names `owner` if none is left.
    pub(super) fn narrow(
        &self,
        marks: &Marks,
        within: Set,
        owner: &Name,
    ) -> Result<Set, Diagnostic> {
        let first = marks
            .since
            .as_ref()
            .map_or(Ok(0), |date| self.revision(date))?;
        let last = marks
            .until
            .as_ref()
            .map_or(Ok(self.revisions.len() - 1), |date| self.revision(date))?;
        let set = Set::range(first, last).intersection(within);
        if set.is_empty() {
            let place = marks
                .since
                .as_ref()
                .or(marks.until.as_ref())
                .map_or(&owner.place, |date| &date.place);
            let around = if within == self.all() {
                String::new()
            } else {
                format!(" of {}", self.show(within))
            };
            return Err(Diagnostic::new(
                place,
                format!(
                    "found an empty range for `{}`, expected at least one revision{around}",
                    owner.text
                ),
            ));
        }
        Ok(set)
    }

    /// The same after [`super::check`] has passed: a fault cannot happen, and would leave nothing.
    pub(super) fn checked(&self, marks: &Marks, within: Set, owner: &Name) -> Set {
        self.narrow(marks, within, owner).unwrap_or_default()
    }

    /// The type of this name in this revision, with its index in `items`.
    pub(super) fn find(&self, name: &str, revision: usize) -> Option<(usize, &'a Item)> {
        let indexes = self.types.get(name)?;
        indexes
            .iter()
            .map(|&index| (index, self.items[index]))
            .find(|(_, (_, set))| set.contains(revision))
            .map(|(index, (item, _))| (index, item))
    }

    /// The revisions in which a name is a type.
    pub(super) fn existence(&self, name: &str) -> Set {
        self.types
            .get(name)
            .into_iter()
            .flatten()
            .fold(Set::default(), |set, &index| set.union(self.items[index].1))
    }

    /// The dates of a set, for messages.
    pub(super) fn show(&self, set: Set) -> String {
        let dates: Vec<&str> = set
            .iter()
            .filter_map(|revision| self.revisions.get(revision).copied())
            .collect();
        dates.join(", ")
    }

    fn revision(&self, date: &Name) -> Result<usize, Diagnostic> {
        let known = |revision: &&str| {
            **revision == date.text
                || revision
                    .strip_prefix(date.text.as_str())
                    .is_some_and(|rest| rest.starts_with('-'))
        };
        let mut fits = self
            .revisions
            .iter()
            .enumerate()
            .filter(|(_, revision)| known(revision));
        match (fits.next(), fits.next()) {
            (Some((index, _)), None) => Ok(index),
            (None, _) => Err(Diagnostic::new(
                &date.place,
                format!(
                    "found `{}`, expected one of the revisions {}",
                    date.text,
                    self.revisions.join(", ")
                ),
            )),
            _ => Err(Diagnostic::new(
                &date.place,
                format!(
                    "found `{}`, expected a full date, since several revisions begin like this",
                    date.text
                ),
            )),
        }
    }
}

/// The revisions, which must be in order.
pub(super) fn revisions(items: &[Item]) -> Result<Vec<&str>, Vec<Diagnostic>> {
    let mut dates: Vec<&str> = Vec::new();
    for item in items
        .iter()
        .filter(|item| matches!(item.kind, ItemKind::Revision))
    {
        let date = item.name.text.as_str();
        if dates.last().is_some_and(|last| *last >= date) {
            return Err(vec![Diagnostic::new(
                &item.name.place,
                format!("found `{date}`, expected a date after the revision before it"),
            )]);
        }
        if dates.len() == MAX_REVISIONS {
            return Err(vec![Diagnostic::new(
                &item.name.place,
                format!(
                    "found one revision too many, expected at most {MAX_REVISIONS}: `RevisionSet` has a bit for each"
                ),
            )]);
        }
        dates.push(date);
    }
    if dates.is_empty() {
        let place = items.first().map(|item| item.name.place.clone());
        return Err(place
            .map(|place| {
                Diagnostic::new(
                    &place,
                    "found no `revision` in any file, expected at least one",
                )
            })
            .into_iter()
            .collect());
    }
    Ok(dates)
}

/// The types that are written in an item.
pub(super) fn types_of(item: &Item) -> Vec<&Type> {
    match &item.kind {
        ItemKind::Revision | ItemKind::Fact | ItemKind::Enum(_) => Vec::new(),
        ItemKind::Method(method) => method
            .params
            .iter()
            .chain(&method.results)
            .map(|field| &field.ty)
            .collect(),
        ItemKind::Struct(structure) => structure.fields.iter().map(|field| &field.ty).collect(),
        ItemKind::Union(union) => union.arms.iter().map(|arm| &arm.ty).collect(),
        ItemKind::Alias(ty) => vec![ty],
        ItemKind::Error(error) => error.data.iter().map(|field| &field.ty).collect(),
    }
}

/// Calls `visit` with every name in a type.
pub(super) fn names_of<'a>(ty: &'a Type, visit: &mut impl FnMut(&'a str, &'a Type)) {
    match &ty.kind {
        TypeKind::Name(name) => visit(name, ty),
        TypeKind::Array(inner, _) | TypeKind::Map(inner) => names_of(inner, visit),
        TypeKind::Either(alternatives) => alternatives.iter().for_each(|one| names_of(one, visit)),
        _ => {}
    }
}
