//! Objects: with and without each member, with each value of each member, alone and in pairs.

use serde_json::{Map, Value};

use super::atoms::lengths;
use super::place::{Force, Owner, Place, by_name};
use super::{Search, Sieve, Values, patterns};

/// Members that are tried.
const MAX_MEMBERS: usize = 24;
/// Members that are filled in because a schema requires them.
const MAX_REQUIRED: usize = 256;
/// Values of one member that are tried alone, and beside another.
const MAX_TRIED: usize = 12;
const MAX_PAIRED: usize = 3;
/// The largest object that is made for a limit.
const MAX_SIZE: usize = 130;
/// Names that no schema has.
const FRESH: [&str; 3] = ["another member", "zz9", "Q"];

/// A member that objects may have.
struct Member {
    name: String,
    values: Values,
}

impl Search<'_> {
    pub(super) fn objects(&mut self, sieve: &mut Sieve<'_>, depth: usize) {
        let required = self.required(sieve.place, Force::Binding);
        let mut members = Vec::new();
        for name in self.names(sieve.place, &required, depth) {
            let place = self.sides.member(sieve.place, &name);
            let values = self.values(&place, depth + 1);
            members.push(Member { name, values });
        }
        let bases = self.bases(sieve.place, &required, &members);
        for base in &bases {
            self.offer(sieve, Value::Object(base.clone()));
        }
        for base in &bases {
            self.vary(sieve, base, &members, MAX_TRIED);
        }
        self.count_members(sieve, &bases, &members);
        for base in &bases {
            for member in members.iter().take(MAX_MEMBERS) {
                for changed in variants(base, member, MAX_PAIRED) {
                    if *self.checks(sieve) == 0 || sieve.is_over() {
                        return;
                    }
                    self.vary(sieve, &changed, &members, MAX_PAIRED);
                }
            }
        }
    }

    /// Offers an object with one member less, more or changed.
    fn vary(
        &mut self,
        sieve: &mut Sieve<'_>,
        base: &Map<String, Value>,
        members: &[Member],
        most: usize,
    ) {
        // Turn by turn, so that many values of one member do not crowd out another.
        for turn in 0..=most {
            if *self.checks(sieve) == 0 || sieve.is_over() {
                return;
            }
            for member in members.iter().take(MAX_MEMBERS) {
                if let Some(object) = variants(base, member, most).nth(turn) {
                    self.offer(sieve, Value::Object(object));
                }
            }
        }
    }

    /// Offers objects with the numbers of members that limits name.
    fn count_members(
        &mut self,
        sieve: &mut Sieve<'_>,
        bases: &[Map<String, Value>],
        members: &[Member],
    ) {
        let keywords = self.sides.all_keywords(sieve.place);
        let counts = lengths(&keywords, &["minProperties", "maxProperties"], MAX_SIZE);
        let rest = self.sides.member(sieve.place, FRESH[0]);
        let filler = members.iter().find(|it| it.name == FRESH[0]);
        let filler = filler.and_then(|it| it.values.plain()).cloned();
        let filler = if rest.own.is_empty() {
            Some(Value::from(1))
        } else {
            filler
        };
        for count in counts {
            for base in bases {
                let mut object = base.clone();
                let extra = members.iter().filter_map(|member| {
                    Some((member.name.clone(), member.values.plain()?.clone()))
                });
                let unknown = (0..count)
                    .filter_map(|index| Some((format!("member {index}"), filler.clone()?)));
                for (name, value) in extra.chain(unknown) {
                    if object.len() >= count {
                        break;
                    }
                    object.entry(name).or_insert(value);
                }
                self.offer(sieve, Value::Object(object));
            }
        }
    }

    /// The names that schemas of a place require.
    fn required(&self, place: &Place, force: Force) -> Vec<String> {
        let mut names = Vec::new();
        for part in &place.all {
            if part.owner == Owner::Narrow
                && part.force == force
                && let Some(keywords) = self.sides.keywords(part)
            {
                texts(keywords.get("required"), &mut names);
            }
        }
        dedup(&mut names);
        names.truncate(MAX_REQUIRED);
        names
    }

    /// The names of members to try: those that must be there first.
    fn names(&mut self, place: &Place, required: &[String], depth: usize) -> Vec<String> {
        let mut names = required.to_vec();
        let mut conditions = Vec::new();
        for keywords in self.sides.all_keywords(place) {
            names.extend(
                by_name(keywords, "properties")
                    .into_iter()
                    .flat_map(Map::keys)
                    .cloned(),
            );
            texts(keywords.get("required"), &mut names);
            for key in ["dependentRequired", "dependencies", "dependentSchemas"] {
                for (name, others) in by_name(keywords, key).into_iter().flatten() {
                    conditions.push(name.clone());
                    texts(Some(others), &mut conditions);
                }
            }
            for pattern in by_name(keywords, "patternProperties")
                .into_iter()
                .flat_map(Map::keys)
            {
                conditions.extend(patterns::samples(pattern, &[]).into_iter().take(2));
            }
        }
        names.extend(conditions);
        let of_names = self.sides.names(place);
        if !of_names.own.is_empty() {
            let values = self.values(&of_names, depth + 1);
            let texts = |values: &[Value]| -> Vec<String> {
                let texts = values.iter().filter_map(Value::as_str).take(3);
                texts.map(str::to_owned).collect()
            };
            names.extend(texts(&values.refused));
            names.extend(texts(&values.accepted));
        }
        dedup(&mut names);
        names.truncate(MAX_REQUIRED.max(MAX_MEMBERS));
        names.extend(FRESH.map(str::to_owned));
        dedup(&mut names);
        names
    }

    /// Objects to start from: the required members alone, those of a branch, all members.
    fn bases(
        &self,
        place: &Place,
        required: &[String],
        members: &[Member],
    ) -> Vec<Map<String, Value>> {
        let fill = |names: &mut dyn Iterator<Item = &String>| {
            let mut object = Map::new();
            for name in names {
                let member = members.iter().find(|it| it.name == *name);
                let value = member.and_then(|it| it.values.plain());
                object.insert(name.clone(), value.cloned().unwrap_or(Value::from(1)));
            }
            object
        };
        let mut bases = vec![fill(&mut required.iter())];
        for part in place
            .all
            .iter()
            .filter(|it| it.force == Force::Hint)
            .take(12)
        {
            let Some(keywords) = self.sides.keywords(part) else {
                continue;
            };
            let mut names = Vec::new();
            texts(keywords.get("required"), &mut names);
            names.extend(
                by_name(keywords, "properties")
                    .into_iter()
                    .flat_map(Map::keys)
                    .cloned(),
            );
            let mut base = fill(&mut required.iter());
            for name in names.iter().take(MAX_REQUIRED) {
                // The value that this branch wants, if it names one.
                let wanted = by_name(keywords, "properties").and_then(|it| it.get(name));
                let wanted = wanted.and_then(|it| {
                    let listed = it.get("enum").and_then(Value::as_array);
                    it.get("const").or(listed.and_then(|it| it.first()))
                });
                let member = members.iter().find(|it| it.name == *name);
                let value = wanted.or(member.and_then(|it| it.values.plain()));
                base.insert(name.clone(), value.cloned().unwrap_or(Value::from(1)));
            }
            bases.push(base);
        }
        let described = members.iter().map(|it| &it.name);
        let described = described.filter(|name| !FRESH.contains(&name.as_str()));
        bases.push(fill(&mut described.take(MAX_MEMBERS)));
        let mut known = Vec::new();
        bases.retain(|base| {
            let is_new = !known.contains(base);
            known.push(base.clone());
            is_new
        });
        bases
    }
}

/// An object without a member, then with each of its values.
fn variants<'a>(
    base: &'a Map<String, Value>,
    member: &'a Member,
    most: usize,
) -> impl Iterator<Item = Map<String, Value>> + 'a {
    let without = base.contains_key(&member.name).then(|| {
        let mut object = base.clone();
        object.remove(&member.name);
        object
    });
    let with = member.values.iter().take(most).map(|value| {
        let mut object = base.clone();
        object.insert(member.name.clone(), value.clone());
        object
    });
    without.into_iter().chain(with)
}

fn texts(list: Option<&Value>, names: &mut Vec<String>) {
    let list = list.and_then(Value::as_array);
    let texts = list.into_iter().flatten().filter_map(Value::as_str);
    names.extend(texts.map(str::to_owned));
}

fn dedup(names: &mut Vec<String>) {
    let mut known = std::collections::HashSet::new();
    names.retain(|name| known.insert(name.clone()));
}
