//! What is said of a key that does not exist.

/// Names the key, the nearest real ones, and all there are.
pub(crate) fn unknown_key<'a>(key: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    let near = dayfly::nearest_names(key, known.clone());
    let shown: String = key.chars().take(60).flat_map(char::escape_debug).collect();
    if near.is_empty() {
        format!("unknown key `{shown}`; there are {}", list(known))
    } else {
        format!("unknown key `{shown}`; did you mean {}?", list(near))
    }
}

fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => "none".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_key_is_answered_with_the_nearest() {
        assert_eq!(unknown_key("argvv", ["argv", "name"]), "unknown key `argvv`; did you mean `argv`?");
        assert_eq!(
            unknown_key("zzzzzz", ["argv", "name", "env"]),
            "unknown key `zzzzzz`; there are `argv`, `name` and `env`"
        );
    }
}
