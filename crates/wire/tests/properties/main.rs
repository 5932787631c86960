//! Properties of the wire: strategies make inputs, oracles say what must hold, and the tests here join them.

#![expect(clippy::unwrap_used, reason = "helpers of tests, which may panic")]

mod oracles;
mod strategies;

use dayfly_wire::{Decoder, HEADER_BYTES, Header, HostMessage, Kind, Side, WireLimits, WorkerMessage};
use oracles::Step;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn no_stream_makes_the_wire_panic(stream in strategies::stream(), pieces in strategies::pieces()) {
        for limits in [WireLimits::DEFAULT, strategies::TIGHT] {
            let (frames, end) = oracles::read(&stream, &pieces, limits);
            for frame in frames {
                prop_assert!(frame.header.length <= limits.max_frame_bytes);
                if let Err(violation) = WorkerMessage::decode(&frame, &limits) {
                    oracles::assert_presentable(&violation);
                }
            }
            if let Err(violation) = end {
                oracles::assert_presentable(&violation);
            }
        }
    }

    #[test]
    fn how_a_stream_is_cut_does_not_matter(stream in strategies::stream(), pieces in strategies::pieces()) {
        for limits in [WireLimits::DEFAULT, strategies::TIGHT] {
            prop_assert_eq!(oracles::read(&stream, &pieces, limits), oracles::read(&stream, &[], limits));
        }
    }

    #[test]
    fn what_a_worker_encodes_the_host_decodes(message in strategies::worker_message(), pieces in strategies::pieces()) {
        let bytes = message.encode().unwrap();
        let (frames, end) = oracles::read(&bytes, &pieces, WireLimits::DEFAULT);
        prop_assert_eq!((frames.len(), end), (1, Ok(())));
        prop_assert_eq!(WorkerMessage::decode(&frames[0], &WireLimits::DEFAULT), Ok(message));
    }

    #[test]
    fn what_the_host_encodes_a_worker_decodes(message in strategies::host_message()) {
        let bytes = message.encode().unwrap();
        let mut decoder = Decoder::of(Side::Host, WireLimits::DEFAULT);
        decoder.feed(&bytes);
        let frame = decoder.next().unwrap().unwrap();
        prop_assert_eq!(decoder.finish(), Ok(()));
        prop_assert_eq!(HostMessage::decode(&frame, &WireLimits::DEFAULT), Ok(message));
    }

    #[test]
    fn a_payload_over_the_limit_is_measured_and_not_built(message in strategies::host_message(), limit in 0_u32..400) {
        let whole = message.encode().unwrap();
        let payload = whole.len() - HEADER_BYTES;
        match message.encode_within(limit) {
            Ok(bytes) => prop_assert!(bytes == whole && payload <= limit as usize),
            Err(error) => {
                prop_assert!(payload > limit as usize);
                prop_assert_eq!(error, dayfly_wire::EncodeError::TooLong { bytes: payload, limit });
            }
        }
    }

    #[test]
    fn a_session_settles_at_most_once(
        steps in proptest::collection::vec(
            prop_oneof![
                8 => strategies::worker_message().prop_map(Step::Message),
                2 => Just(Step::Started),
                1 => Just(Step::Settle),
            ],
            0..30,
        ),
        honest_start in any::<bool>(),
    ) {
        let ready = || WorkerMessage::Ready { language: dayfly_runtime::Language::Python, version: "3.11.2".into() };
        let start = if honest_start { vec![Step::Message(ready()), Step::Started] } else { Vec::new() };
        oracles::drive(start.into_iter().chain(steps).collect());
    }

    #[test]
    fn large_frames_leave_no_large_buffer_behind(
        lengths in proptest::collection::vec(prop_oneof![3 => 0_usize..200, 2 => 0_usize..400_000], 0..12),
        pieces in proptest::collection::vec(1_usize..300_000, 1..12),
    ) {
        let stream: Vec<u8> = lengths.iter().flat_map(|length| framed_spaces(*length)).collect();
        // `read` checks the memory whenever the decoder waits.
        let (frames, end) = oracles::read(&stream, &pieces, WireLimits::DEFAULT);
        prop_assert_eq!((frames.len(), end), (lengths.len(), Ok(())));
    }

    #[test]
    fn memory_follows_what_has_arrived_and_not_what_a_header_announces(
        length in 300_000..=WireLimits::DEFAULT.max_frame_bytes,
        sent in 0_usize..300_000,
        piece in 1_000_usize..100_000,
    ) {
        let header = Header { kind: Kind::Done, flags: 0, id: 0, length };
        let mut decoder = Decoder::new(WireLimits::DEFAULT);
        decoder.feed(&header.encode().unwrap());
        let mut waiting = 0;
        for piece in vec![b' '; sent].chunks(piece) {
            prop_assert_eq!(decoder.next(), Ok(None));
            decoder.feed(piece);
            waiting += piece.len();
            prop_assert!(decoder.capacity() <= oracles::most_at_first(waiting), "{} for {waiting}", decoder.capacity());
        }
    }
}

fn framed_spaces(length: usize) -> Vec<u8> {
    let header = Header { kind: Kind::Done, flags: 0, id: 0, length: u32::try_from(length).unwrap() };
    let mut bytes = header.encode().unwrap().to_vec();
    bytes.resize(HEADER_BYTES + length, b' ');
    bytes
}
