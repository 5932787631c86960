//! Sessions of forged peers. Nothing here knows what should come of them.

use std::time::Duration;

use dayfly::Language;
use dayfly_tests::forged::Ending;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::frames::Class;

/// Sessions that are played at the same time, at most.
pub(crate) const AT_A_TIME: usize = 4;

/// One session: how it begins, what it says, how it ends.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) language: Language,
    pub(crate) opening: (Opening, u64),
    pub(crate) body: Vec<(Class, u64)>,
    /// Whether the worker waits for every reply before it goes on to its end.
    pub(crate) waits: bool,
    pub(crate) last: Last,
    /// What comes behind the end.
    pub(crate) after: Vec<(Class, u64)>,
    pub(crate) moves: Vec<Move>,
    pub(crate) native: Vec<u64>,
    pub(crate) writing: Writing,
    /// The worker reads no reply.
    pub(crate) deaf: bool,
    /// The host cancels the run after this time.
    pub(crate) cancel: Option<Duration>,
}

/// How a session begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opening {
    Honest,
    /// `ready` in pieces, with pauses between them.
    Pieces,
    /// `ready` with members that nobody asked for, in any order.
    Odd,
    /// `ready` with so much padding that it is decoded apart.
    Long,
    /// What should come after `start` comes right behind `ready`.
    Eager,
    /// A frame before `ready`.
    Unready(Class),
    /// Bytes that are no frame, before `ready`.
    Beginning,
    Exit,
    HalfClose,
    /// `ready`, and then an end.
    Quits,
    /// Nothing at all.
    Silent,
}

impl Opening {
    /// One of each kind.
    pub(crate) const ALL: [Self; 11] = [
        Self::Honest,
        Self::Pieces,
        Self::Odd,
        Self::Long,
        Self::Eager,
        Self::Unready(Class::Call),
        Self::Beginning,
        Self::Exit,
        Self::HalfClose,
        Self::Quits,
        Self::Silent,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Honest => "honest",
            Self::Pieces => "pieces",
            Self::Odd => "odd",
            Self::Long => "long",
            Self::Eager => "eager",
            Self::Unready(_) => "unready",
            Self::Beginning => "beginning",
            Self::Exit => "exit",
            Self::HalfClose => "half-close",
            Self::Quits => "quits",
            Self::Silent => "silent",
        }
    }
}

/// How the frames end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Last {
    /// With this frame, behind which the worker stays.
    Frame(Class, u64),
    /// With this frame, behind which the worker ends.
    FrameThen(Class, u64, Ending),
    /// With the beginning of a frame, behind which the worker does this.
    Beginning(u64, Ending),
    /// Without anything.
    Nothing(Ending),
    /// It closes its half of the socket, and stays.
    HalfClose,
}

/// A change to the order of the frames.
#[derive(Debug, Clone)]
pub(crate) enum Move {
    Twice(Index),
    Swap(Index, Index),
    Drop(Index),
}

/// How the bytes are written.
#[derive(Debug, Clone)]
pub(crate) enum Writing {
    Whole,
    /// In pieces of these lengths, again and again, with a pause behind the first few.
    Pieces(Vec<usize>, Duration),
}

/// A smaller seed is no simpler.
fn seed() -> impl Strategy<Value = u64> + Clone {
    any::<u64>().no_shrink()
}

fn chatter() -> impl Strategy<Value = (Class, u64)> {
    let class = prop_oneof![
        4_000 => Just(Class::Call),
        3_000 => Just(Class::Log),
        600 => Just(Class::FailingCall),
        600 => Just(Class::UnknownCall),
        600 => Just(Class::RefusedCall),
        400 => Just(Class::UsedId),
        20 => Just(Class::HeldCall),
        1 => Just(Class::LargeCall),
    ];
    (class, seed())
}

fn anything() -> impl Strategy<Value = (Class, u64)> {
    (proptest::sample::select(Class::ALL.to_vec()), seed())
}

fn body(longest: usize) -> impl Strategy<Value = Vec<(Class, u64)>> {
    let rarely_broken = prop_oneof![2_000 => chatter(), 1 => anything()];
    let often_broken = prop_oneof![12 => chatter(), 1 => anything()];
    let held = (Just(Class::HeldCall), seed());
    let floods = prop_oneof![3 => (Just(Class::LargeLog), seed()), 1 => chatter()];
    prop_oneof![
        30 => vec(rarely_broken, 0..longest),
        30 => vec(chatter(), 0..longest / 3),
        30 => vec(often_broken, 0..60),
        3 => vec(prop_oneof![1 => held, 3 => chatter()], 0..300),
        3 => vec(floods, 0..40),
        3 => vec((Just(Class::LargeCall), seed()), 0..20),
    ]
}

fn ending() -> impl Strategy<Value = Ending> {
    prop_oneof![
        2 => (0_u8..4).prop_map(Ending::Exit),
        2 => proptest::sample::select(vec![9, 11, 15]).prop_map(Ending::Kill),
        1 => Just(Ending::Linger),
    ]
}

fn last() -> impl Strategy<Value = Last> {
    let class = || {
        use Class::*;
        let classes = prop_oneof![
            4 => Just(Done), 1 => Just(RefusedDone), 2 => Just(Failed), 3 => Just(Violation), 1 => Just(Noise),
            1 => Just(Lying),
        ];
        (classes, seed())
    };
    prop_oneof![
        8 => class().prop_map(|(class, seed)| Last::Frame(class, seed)),
        4 => (class(), ending()).prop_map(|((class, seed), ending)| Last::FrameThen(class, seed, ending)),
        3 => (seed(), ending()).prop_map(|(seed, ending)| Last::Beginning(seed, ending)),
        3 => ending().prop_map(Last::Nothing),
        1 => Just(Last::HalfClose),
    ]
}

fn opening() -> impl Strategy<Value = (Opening, u64)> {
    let opening = prop_oneof![
        60 => Just(Opening::Honest),
        2 => Just(Opening::Pieces),
        3 => Just(Opening::Odd),
        1 => Just(Opening::Long),
        5 => Just(Opening::Eager),
        4 => anything().prop_map(|(class, _)| Opening::Unready(class)),
        1 => Just(Opening::Beginning),
        1 => Just(Opening::Exit),
        1 => Just(Opening::HalfClose),
        1 => Just(Opening::Quits),
        1 => Just(Opening::Silent),
    ];
    (opening, seed())
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    vec(
        prop_oneof![
            any::<Index>().prop_map(Move::Twice),
            any::<(Index, Index)>().prop_map(|(one, other)| Move::Swap(one, other)),
            any::<Index>().prop_map(Move::Drop),
        ],
        0..8,
    )
}

fn writing() -> impl Strategy<Value = Writing> {
    let length = prop_oneof![1_usize..20, 1_usize..5_000, 1_usize..200_000];
    let pause = (0_u64..2_000).prop_map(Duration::from_micros);
    prop_oneof![
        1 => Just(Writing::Whole),
        2 => (vec(length, 1..20), pause).prop_map(|(lengths, pause)| Writing::Pieces(lengths, pause)),
    ]
}

/// Sessions that are played at the same time, each of about `longest` frames at most.
pub(crate) fn plans(longest: usize) -> impl Strategy<Value = Vec<Plan>> {
    vec(plan(longest), 1..=AT_A_TIME)
}

/// Any session, of about `longest` frames at most.
pub(crate) fn plan(longest: usize) -> impl Strategy<Value = Plan> {
    let language = proptest::sample::select(Language::ALL.to_vec());
    let cancel = prop_oneof![
        9 => Just(None),
        1 => (0_u64..60_000).prop_map(|micros| Some(Duration::from_micros(micros))),
    ];
    let native = prop_oneof![3 => Just(Vec::new()), 1 => vec(any::<u64>(), 1..10)];
    let after = prop_oneof![1 => Just(Vec::new()), 2 => vec(anything(), 0..30)];
    let frames = (body(longest), last(), after, moves(), native);
    let manner = (any::<bool>(), writing(), proptest::bool::weighted(0.04), cancel);
    (language, opening(), frames, manner).prop_map(
        |(language, opening, (body, last, after, moves, native), (waits, writing, deaf, cancel))| Plan {
            language,
            opening,
            body,
            waits,
            last,
            after,
            moves,
            native,
            writing,
            deaf,
            cancel,
        },
    )
}
