//! What is said of a key that does not exist.

/// Words that mean a key and are not spelt like it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Synonym {
    pub(crate) key: &'static str,
    /// In lower case, without separators.
    pub(crate) words: &'static [&'static str],
}

/// Names the key, the real ones that mean it or are nearest to it, and otherwise all there are.
pub(crate) fn unknown_key<'a>(
    key: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
    synonyms: &[Synonym],
) -> String {
    let word = plain(key);
    let meant = synonyms.iter().find(|synonym| synonym.words.contains(&word.as_str()));
    let near = meant.map_or_else(|| dayfly::nearest_names(key, known.clone()), |synonym| vec![synonym.key]);
    let shown: String = key.chars().take(60).flat_map(char::escape_debug).collect();
    if near.is_empty() {
        format!("unknown key `{shown}`; there are {}", list(known, "and"))
    } else {
        format!("unknown key `{shown}`; did you mean {}?", list(near, "or"))
    }
}

/// A name in lower case and without separators.
pub(crate) fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}

/// Names in a row.
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>, last_word: &str) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} {last_word} {last}", rest.join(", ")),
        None => "none".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_key_is_answered_with_the_nearest() {
        assert_eq!(unknown_key("argvv", ["argv", "name"], &[]), "unknown key `argvv`; did you mean `argv`?");
        assert_eq!(
            unknown_key("zzzzzz", ["argv", "name", "env"], &[]),
            "unknown key `zzzzzz`; there are `argv`, `name` and `env`"
        );
        assert_eq!(list(["a", "b"], "or"), "`a` or `b`");
    }

    #[test]
    fn a_word_that_means_a_key_is_answered_with_it_however_it_is_written() {
        let synonyms = [Synonym { key: "input", words: &["inputschema"] }];
        for word in ["inputSchema", "input_schema", "input-schema"] {
            let said = unknown_key(word, ["input", "output"], &synonyms);
            assert_eq!(said, format!("unknown key `{word}`; did you mean `input`?"));
        }
    }
}
