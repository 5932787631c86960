//! How far a string's text goes on as it is.

/// So many bytes are looked at together, which compilers turn into a few instructions.
const BLOCK: usize = 32;

/// How many bytes come before the first that JSON writes as an escape: a quote, a backslash, a control character.
pub(super) fn plain_len(bytes: &[u8]) -> usize {
    let special = |byte: &u8| *byte < b' ' || *byte == b'"' || *byte == b'\\';
    // Without a way out of its middle a block is compared at once.
    let plain = |block: &&[u8]| !block.iter().fold(false, |found, byte| found | special(byte));
    let whole = bytes.chunks_exact(BLOCK).take_while(plain).count() * BLOCK;
    let rest = &bytes[whole..];
    whole + rest.iter().position(special).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_to_escape_is_found_wherever_it_stands() {
        for length in [0, 1, 31, 32, 33, 64, 100] {
            let plain = "é".repeat(length);
            assert_eq!(plain_len(plain.as_bytes()), plain.len());
            for special in ["\"", "\\", "\n", "\0", "\u{1f}"] {
                let text = format!("{plain}{special}{plain}\"");
                assert_eq!(plain_len(text.as_bytes()), plain.len(), "{text:?}");
            }
        }
        assert_eq!(plain_len("\u{7f} /".as_bytes()), 3);
    }
}
