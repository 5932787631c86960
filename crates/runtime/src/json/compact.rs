//! Takes dead entries off a tape, in place and in one pass.

use super::tape::{Node, Tag, Tape};

/// The tape without its dead keys and their values.
///
/// One pass at the very end, and not one per object: objects with duplicates inside one another would otherwise move
/// their content once per level.
pub(super) fn compact(mut nodes: Vec<Node>, text: String) -> Tape {
    let mut text = text.into_bytes();
    // Where each unfinished container was written, and where it ends among the nodes still to be read.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let (mut read, mut write, mut written_text) = (0, 0, 0);
    while read < nodes.len() {
        close(&mut nodes, &mut open, read, write);
        let node = nodes[read];
        if node.tag() == Tag::Dead {
            read += 1 + nodes[read + 1].span();
            continue;
        }
        if node.has_text() {
            text.copy_within(node.value()..node.value() + node.size(), written_text);
            nodes[write] = Node::new(node.tag(), written_text, node.size());
            written_text += node.size();
        } else {
            if node.is_container() {
                open.push((write, read + node.size()));
            }
            nodes[write] = node;
        }
        read += 1;
        write += 1;
    }
    close(&mut nodes, &mut open, read, write);
    nodes.truncate(write);
    text.truncate(written_text);
    // Whole strings were moved, so the text is still UTF-8.
    let text = String::from_utf8(text).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    Tape { nodes: nodes.into_boxed_slice(), text: text.into_boxed_str() }
}

/// Finishes the containers that end where reading stands.
fn close(nodes: &mut [Node], open: &mut Vec<(usize, usize)>, read: usize, write: usize) {
    while let Some((start, end)) = open.last().copied() {
        if end != read {
            break;
        }
        open.pop();
        nodes[start] = Node::new(nodes[start].tag(), nodes[start].value(), write - start);
    }
}
