//! Streams as servers write them, sound and broken, and one promise about all of them.

use super::*;
use proptest::prelude::*;

fn decoded(pieces: &[&[u8]]) -> (Vec<(String, String)>, Result<(), SseFault>) {
    decoded_within(LONGEST_EVENT, pieces)
}

fn decoded_within(
    longest: usize,
    pieces: &[&[u8]],
) -> (Vec<(String, String)>, Result<(), SseFault>) {
    let mut decoder = SseDecoder::new(longest);
    let mut events = Vec::new();
    for piece in pieces {
        events.extend(decoder.feed(piece));
    }
    let pairs = events.into_iter().map(|one| (one.event, one.data));
    (pairs.collect(), decoder.finish())
}

fn events(text: &str) -> Vec<(String, String)> {
    decoded(&[text.as_bytes()]).0
}

fn message(data: &str) -> (String, String) {
    ("message".to_owned(), data.to_owned())
}

#[test]
fn lines_end_in_lf_crlf_or_cr() {
    let expected = [message("a"), ("ping".to_owned(), "b".to_owned())];
    for end in ["\n", "\r\n", "\r"] {
        let text = "data: a||event: ping|data: b||".replace('|', end);
        assert_eq!(events(&text), expected, "{end:?}");
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(decoded(&bytes), (expected.to_vec(), Ok(())), "{end:?}");
    }
    assert_eq!(
        events("data: a\r\n\ndata: b\n\r"),
        [message("a"), message("b")]
    );
}

#[test]
fn fields_are_read_as_the_standard_says() {
    for (text, expected) in [
        (
            "data: one\ndata:two\ndata\ndata:  four\n\n",
            "one\ntwo\n\n four",
        ),
        (
            ": keep-alive\ndata: a\nid: 7\nretry: 5\nnonsense: b\n\n",
            "a",
        ),
        ("data:\n\n", ""),
        ("data: a:b: c\n\n", "a:b: c"),
        ("data : no field\ndata: yes\n\n", "yes"),
        (
            "data: {\"text\":\"ü→\u{1f600}\"}\n\n",
            "{\"text\":\"ü→\u{1f600}\"}",
        ),
    ] {
        assert_eq!(events(text), [message(expected)], "{text:?}");
    }
    // Without data there is no event, and its type does not pass to the next one.
    assert_eq!(
        events("event: ping\n\n\n: hello\n\ndata: a\n\n"),
        [message("a")]
    );
}

#[test]
fn a_byte_order_mark_is_dropped_at_the_beginning_alone() {
    assert_eq!(events("\u{feff}data: a\n\n"), [message("a")]);
    assert_eq!(events("\u{feff}\ndata: a\n\n"), [message("a")]);
    assert_eq!(events("data: a\n\n\u{feff}data: b\n\n"), [message("a")]);
    let pieces: [&[u8]; 3] = [b"\xef", b"\xbb", b"\xbfdata: a\n\n"];
    assert_eq!(decoded(&pieces).0, [message("a")]);
}

#[test]
fn a_last_event_without_its_blank_line_is_none_and_is_told() {
    for cut in [
        "data: a\n\ndata: b\n",
        "data: a\n\ndata: b",
        "data: a\n\nev",
    ] {
        let (events, end) = decoded(&[cut.as_bytes()]);
        assert_eq!(
            (events, end),
            (vec![message("a")], Err(SseFault::Cut)),
            "{cut:?}"
        );
    }
    for whole in [
        "",
        "data: a\n\n",
        "data: a\n\n: bye\n",
        "data: a\n\nevent: x\n",
    ] {
        assert_eq!(decoded(&[whole.as_bytes()]).1, Ok(()), "{whole:?}");
    }
}

#[test]
fn bytes_that_are_no_text_are_replaced_and_end_nothing() {
    let (events, end) = decoded(&[b"data: a\xffb\n\n"]);
    assert_eq!((events, end), (vec![message("a\u{fffd}b")], Ok(())));
}

#[test]
fn an_event_that_is_too_long_ends_the_decoding_and_holds_nothing() {
    let too_long = Err(SseFault::TooLong { longest: 16 });
    for text in [
        "data: a\n\ndata: 12345678901\n\ndata: b\n\n",
        "data: a\n\ndata: 123456\ndata: 123456\n\n",
        "data: a\n\n: 123456789012345 and no end",
    ] {
        for size in 1..text.len() {
            let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            let (events, end) = decoded_within(16, &pieces);
            assert_eq!(
                (events, end),
                (vec![message("a")], too_long),
                "{text:?} by {size}"
            );
        }
    }
    let mut decoder = SseDecoder::new(4);
    decoder.feed(b"data: a");
    assert!(decoder.is_over() && decoder.feed(b"\n\ndata\n\n").is_empty());
}

/// Streams made of what matters to the decoder, sound or not.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let part = prop::sample::select(vec![
        &b"\n"[..],
        b"\r",
        b"\r\n",
        b"\n\n",
        b"\r\n\r\n",
        b"data: ",
        b"data:",
        b"data",
        b"event: ",
        b": ",
        b"id: 1",
        b"a",
        b"{\"x\":1}",
        "ü→\u{1f600}".as_bytes(),
        b"\xef\xbb\xbf",
        b"\xff",
    ]);
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn however_a_stream_is_cut_its_events_are_the_same(
        stream in stream(),
        sizes in prop::collection::vec(0_usize..5, 0..80),
        longest in prop::sample::select(vec![8, 24, LONGEST_EVENT]),
    ) {
        let mut pieces: Vec<&[u8]> = Vec::new();
        let mut rest = stream.as_slice();
        for size in sizes {
            let (piece, after) = rest.split_at(size.min(rest.len()));
            pieces.push(piece);
            rest = after;
        }
        pieces.push(rest);
        let whole = decoded_within(longest, &[&stream]);
        prop_assert_eq!(decoded_within(longest, &pieces), whole);
    }
}

#[test]
fn a_stream_says_after_which_event_and_how_soon_it_is_gone_on_with() {
    let mut decoder = SseDecoder::default();
    assert_eq!((decoder.last_id(), decoder.retry_ms()), (None, None));
    // An event without data is none, and its id counts all the same.
    assert!(decoder.feed(b"id: one\nretry: 500\n\n").is_empty());
    assert_eq!(
        (decoder.last_id(), decoder.retry_ms()),
        (Some("one"), Some(500))
    );
    // What is not whole yet was not received; nonsense changes nothing.
    decoder.feed(b"retry: soon\nretry: -1\nretry:\nid: t\0o\ndata: x\n\nid: two\ndata: y");
    assert_eq!(
        (decoder.last_id(), decoder.retry_ms()),
        (Some("one"), Some(500))
    );
    decoder.feed(b"\n\n");
    assert_eq!(decoder.last_id(), Some("two"));
    decoder.feed(b"id\n\n");
    assert_eq!(decoder.last_id(), None);
}
