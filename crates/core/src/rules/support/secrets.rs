//! Detects names and sentences that plainly ask for a secret or for personal data. In doubt they do
//! not.

/// Whether a field of this name or title holds a password, a key, a token or payment data.
pub(crate) fn names_secret(name: &str) -> bool {
    let words = words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let words = trimmed(&words);
    ends_in_secret(words) || WHOLE.contains(&words)
}

/// Words that mean a secret only if they stand alone.
const WHOLE: &[&[&str]] = &[
    &["pwd"],
    &["secret"],
    &["token"],
    &["pin"],
    &["credentials"],
    &["github", "token"],
    &["gitlab", "token"],
    &["slack", "token"],
];

/// Whether a field of this name holds personal data.
pub(crate) fn names_person(name: &str) -> bool {
    let words = words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ends = [
        &["email"][..],
        &["e", "mail"],
        &["email", "address"],
        &["phone", "number"],
        &["date", "of", "birth"],
        &["birth", "date"],
        &["birthdate"],
    ];
    ends.iter().any(|end| words.ends_with(end))
}

/// Whether a sentence asks the reader for a secret.
pub(crate) fn demands_secret(sentence: &str) -> bool {
    let words = words(sentence);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.iter().enumerate().any(|(at, word)| {
        *word == "your" && is_demand(words.get(..at).unwrap_or_default()) && {
            let rest = words.get(at + 1..).unwrap_or_default();
            (1..=4).any(|length| {
                rest.get(..length).is_some_and(ends_in_secret)
                    && rest.get(length).is_none_or(|next| !is_about(next))
            })
        }
    })
}

/// Whether a word after the name of a secret changes its meaning: a password manager, the id of a
/// key.
fn is_about(next: &str) -> bool {
    matches!(
        next,
        "id" | "ids"
            | "manager"
            | "policy"
            | "length"
            | "reset"
            | "name"
            | "prefix"
            | "type"
            | "hint"
    )
}

/// Whether the words before `your` are a request.
fn is_demand(before: &[&str]) -> bool {
    let near = before
        .get(before.len().saturating_sub(4)..)
        .unwrap_or_default();
    let asks = near.iter().any(|word| {
        matches!(
            *word,
            "enter" | "provide" | "type" | "give" | "supply" | "paste" | "input" | "what" | "tell"
        )
    });
    let refuses = before.iter().any(|word| {
        matches!(
            *word,
            "not" | "never" | "don" | "dont" | "without" | "cannot" | "t"
        )
    });
    asks && !refuses
}

/// The words of a name without trailing words that do not change its meaning.
fn trimmed<'w>(mut words: &'w [&'w str]) -> &'w [&'w str] {
    while let Some((
        "optional" | "required" | "here" | "again" | "confirmation" | "confirm" | "repeat"
        | "value" | "1" | "2",
        rest,
    )) = words.split_last().map(|(last, rest)| (*last, rest))
    {
        words = rest;
    }
    words
}

fn ends_in_secret(words: &[&str]) -> bool {
    const ENDS: &[&[&str]] = &[
        &["password"],
        &["passwd"],
        &["passphrase"],
        &["passcode"],
        &["apikey"],
        &["api", "key"],
        &["private", "key"],
        &["secret", "key"],
        &["secret", "access", "key"],
        &["signing", "key"],
        &["encryption", "key"],
        &["client", "secret"],
        &["api", "secret"],
        &["app", "secret"],
        &["access", "token"],
        &["refresh", "token"],
        &["auth", "token"],
        &["api", "token"],
        &["bearer", "token"],
        &["session", "token"],
        &["credit", "card"],
        &["card", "number"],
        &["credit", "card", "no"],
        &["security", "code"],
        &["cvv"],
        &["cvc"],
        &["cvv2"],
        &["pin", "code"],
        &["card", "pin"],
        &["ssn"],
        &["social", "security", "number"],
    ];
    ENDS.iter().any(|end| words.ends_with(end))
}

/// The words of an identifier or a sentence, in lower case: `apiKey`, `API_KEY` and `API key` have
/// the same two.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if !letter.is_alphanumeric() {
            words.extend((!word.is_empty()).then(|| core::mem::take(&mut word)));
            before = ' ';
            continue;
        }
        let begins = letter.is_uppercase()
            && (before.is_lowercase()
                || before.is_uppercase() && letters.peek().is_some_and(|next| next.is_lowercase()));
        if begins && !word.is_empty() {
            words.push(core::mem::take(&mut word));
        }
        word.extend(letter.to_lowercase());
        before = letter;
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_recognised() {
        for name in [
            "password",
            "Password",
            "newPassword",
            "confirm_password",
            "password_confirmation",
            "api_key",
            "apiKey",
            "API key",
            "OPENAI_API_KEY",
            "Your API key (optional)",
            "APIKey",
            "client_secret",
            "secret",
            "accessToken",
            "token",
            "card_number",
            "CVV",
            "cvc",
            "pin",
            "ssn",
            "Social Security number",
            "privateKey",
            "passphrase",
        ] {
            assert!(names_secret(name), "{name}");
        }
    }

    #[test]
    fn other_names_are_not() {
        for name in [
            "",
            "name",
            "token_count",
            "maxTokens",
            "tokens",
            "secret_santa",
            "password_length",
            "passwordPolicy",
            "spin",
            "pinned",
            "shopping",
            "key",
            "primary_key",
            "card",
            "api_key_id",
            "keyboard",
            "monkey",
            "secretary",
            "pin_color",
            "cursor_token",
            "tokenizer",
            "next page token",
        ] {
            assert!(!names_secret(name), "{name}");
        }
    }

    #[test]
    fn demands_are_told_from_mentions() {
        for text in [
            "Please enter your password",
            "What is your API key?",
            "Provide us with your credit card number, please",
            "Type in your GitHub access token:",
        ] {
            assert!(demands_secret(text), "{text}");
        }
        for text in [
            "Your password was changed",
            "We never ask you to enter your password",
            "Do not enter your password here",
            "Please enter your name",
            "Enter your password manager of choice",
            "Choose the token count",
            "Enter your API key ID",
            "What is your secret santa's name?",
        ] {
            assert!(!demands_secret(text), "{text}");
        }
    }

    #[test]
    fn personal_data_is_told_by_name() {
        for name in [
            "email",
            "userEmail",
            "email_address",
            "phone_number",
            "dateOfBirth",
        ] {
            assert!(names_person(name), "{name}");
        }
        for name in [
            "emails_sent",
            "name",
            "phone_model",
            "region",
            "birth_place",
        ] {
            assert!(!names_person(name), "{name}");
        }
    }
}
