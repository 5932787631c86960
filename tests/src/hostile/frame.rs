//! Frames as a hostile peer writes them: every field may be anything.

/// One frame, right in every field that is not changed.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The first four bytes.
    pub magic: [u8; 4],
    /// The protocol's version.
    pub version: u16,
    /// The kind's byte.
    pub kind: u8,
    /// The flags.
    pub flags: u8,
    /// The call's id.
    pub id: u32,
    /// The length that the header claims, where it is not the payload's own.
    pub claims: Option<u32>,
    /// The payload.
    pub payload: Vec<u8>,
}

impl Frame {
    /// A frame of this kind.
    #[must_use]
    pub fn new(kind: u8, id: u32, payload: impl Into<Vec<u8>>) -> Self {
        Self { magic: *b"DAYF", version: 1, kind, flags: 0, id, claims: None, payload: payload.into() }
    }

    /// The header and the payload.
    ///
    /// # Panics
    ///
    /// When the payload has 4 GiB or more.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let length = self.claims.unwrap_or_else(|| u32::try_from(self.payload.len()).expect("a payload of a test"));
        let mut bytes = self.magic.to_vec();
        bytes.extend_from_slice(&self.version.to_le_bytes());
        bytes.extend_from_slice(&[self.kind, self.flags]);
        bytes.extend_from_slice(&self.id.to_le_bytes());
        bytes.extend_from_slice(&length.to_le_bytes());
        bytes.extend_from_slice(&self.payload);
        bytes
    }

    /// Only the header, which claims this length.
    #[must_use]
    pub fn header(mut self, claims: u32) -> Vec<u8> {
        self.claims = Some(claims);
        self.payload.clear();
        self.bytes()
    }
}

/// The call of a tool with an argument that is already JSON, or is not.
#[must_use]
pub fn call(id: u32, name: &str, arguments: &str) -> Vec<u8> {
    Frame::new(2, id, format!(r#"{{"global":"tools","name":"{name}","args":{arguments}}}"#)).bytes()
}

/// A log entry of standard output, of a text that is already escaped.
#[must_use]
pub fn log(text: &str) -> Vec<u8> {
    Frame::new(3, 0, format!(r#"{{"source":"stdout","level":"log","text":"{text}"}}"#)).bytes()
}

/// A completion with a value that is already JSON, or is not.
#[must_use]
pub fn done(value: &str) -> Vec<u8> {
    Frame::new(4, 0, format!(r#"{{"value":{value}}}"#)).bytes()
}

/// Arrays in arrays.
#[must_use]
pub fn nested(levels: usize) -> String {
    "[".repeat(levels) + &"]".repeat(levels)
}
