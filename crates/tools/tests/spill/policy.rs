//! What is replaced, and what is left alone.

use dayfly_tools::spill::{DirectoryStore, READ_SPILLED, Spill, SpillError, SpillStore};
use dayfly_tools::{Content, Json, NoArguments, Registry, RunContext, Tool, ToolFailure};

use crate::support::{Directory, call, says};

fn spilling(directory: &Directory, limit: usize) -> Registry {
    let registry = Registry::new();
    Spill::new(DirectoryStore::open(directory.path()).unwrap()).limit(limit).install(registry.global()).unwrap().keep();
    registry
}

#[tokio::test]
async fn a_long_result_is_shown_by_its_ends_and_read_in_parts() {
    let directory = Directory::new();
    let registry = spilling(&directory, 1_000);
    let text: String = (0..2_000).map(|line| format!("line {line}\n")).collect();
    registry.register(says("log", &text)).unwrap().keep();
    let outcome = registry.execute(call("log", "{}")).await;
    // The canonical value is what it was; only what the model is shown is shorter.
    assert_eq!(outcome.result, Ok(Json::from(text.as_str())));
    let shown = outcome.text();
    assert!(shown.starts_with("line 0\n") && shown.ends_with("line 1999\n"), "{shown}");
    assert!(shown.contains("of 18890 in 2000 lines") && shown.contains("`spill-1`"), "{shown}");
    assert!(shown.len() < 1_400, "{}", shown.len());
    // The words in it are the arguments that lead on.
    let (_, arguments) = shown.split_once("`read_spilled` (").unwrap();
    assert!(arguments.starts_with(r#"{"locator": "spill-1", "offset": 750, "length": 4096})"#), "{arguments}");
    let part = registry.execute(call(READ_SPILLED, r#"{"locator":"spill-1","offset":750,"length":4096}"#)).await;
    let value = part.result.clone().unwrap();
    assert_eq!(value.get("text").unwrap().as_str().unwrap(), &text[750..4_846]);
    assert_eq!(value.get("next").unwrap().as_u64(), Some(4_846));
    // A part that is longer than the limit is shown whole: it is what was asked for.
    assert!(part.text().starts_with(&text[750..4_846]), "{}", part.text());
    assert_eq!(directory.names(), ["spill-1"]);
}

#[tokio::test]
async fn what_fits_is_left_alone_and_keeps_nothing() {
    let directory = Directory::new();
    let registry = spilling(&directory, 1_000);
    registry.register(says("short", &"x".repeat(1_000))).unwrap().keep();
    assert_eq!(registry.execute(call("short", "{}")).await.text(), "x".repeat(1_000));
    assert!(directory.names().is_empty());
}

#[tokio::test]
async fn long_failures_are_shortened_and_images_stay() {
    let directory = Directory::new();
    let registry = spilling(&directory, 1_000);
    let fails = Tool::typed::<NoArguments, ()>("fails").render_plain();
    let fails = fails.execute(async |_: NoArguments, _| Err::<(), _>(ToolFailure::new("no ".repeat(1_000)))).unwrap();
    registry.register(fails).unwrap().keep();
    let outcome = registry.execute(call("fails", "{}")).await;
    assert!(outcome.is_error() && outcome.text().len() < 1_400, "{}", outcome.text());
    let image = Content::Image { media_type: "image/png".to_owned(), data: "x".repeat(10_000) };
    let shows = image.clone();
    let picture = Tool::typed::<NoArguments, ()>("picture")
        .render(move |_, ()| vec![Content::text("a ".repeat(1_000)), shows.clone()])
        .execute(async |_, _| Ok(()))
        .unwrap();
    registry.register(picture).unwrap().keep();
    let outcome = registry.execute(call("picture", "{}")).await;
    assert_eq!(outcome.content.len(), 2);
    assert_eq!(outcome.content[1], image);
}

#[tokio::test]
async fn calls_from_within_others_are_shown_to_no_model_and_stay_whole() {
    let directory = Directory::new();
    let registry = spilling(&directory, 1_000);
    registry.register(says("long", &"x".repeat(5_000))).unwrap().keep();
    let outer = Tool::typed::<NoArguments, usize>("outer").render_plain();
    let outer = outer.execute(async |_: NoArguments, run: RunContext| {
        let inner = run.nested("inner", "long", Json::object::<&str, Json>([]));
        Ok(run.scope().execute(inner).await.text().len())
    });
    registry.register(outer.unwrap()).unwrap().keep();
    assert_eq!(registry.execute(call("outer", "{}")).await.text(), "5000");
    assert!(directory.names().is_empty());
}

#[tokio::test]
async fn a_store_that_fails_or_panics_still_keeps_long_texts_from_the_model() {
    struct Broken(bool);

    impl SpillStore for Broken {
        fn keep(&self, _: &str) -> Result<String, SpillError> {
            assert!(self.0, "the store is broken");
            Err(SpillError::Full { bytes: 5_000, used: 1, most: 1 })
        }

        fn read(&self, _: &str, _: u64, _: u64) -> Result<dayfly_tools::spill::Slice, SpillError> {
            panic!("the store is broken");
        }
    }

    for (in_words, said) in
        [(true, "the rest is lost, because it could not be kept: 5000 bytes do not fit"), (false, "its store failed")]
    {
        let registry = Registry::new();
        let _spill = Spill::new(Broken(in_words)).limit(1_000).install(registry.global()).unwrap();
        registry.register(says("long", &"x".repeat(5_000))).unwrap().keep();
        let shown = registry.execute(call("long", "{}")).await.text();
        assert!(shown.len() < 1_400 && shown.contains(said), "{shown}");
        assert!(registry.execute(call(READ_SPILLED, r#"{"locator":"spill-1"}"#)).await.is_error());
    }
}

#[tokio::test]
async fn dropping_the_installed_spill_takes_all_of_it_away() {
    let directory = Directory::new();
    let registry = Registry::new();
    let store = DirectoryStore::open(directory.path()).unwrap();
    let spill = Spill::new(store).limit(1_000).install(registry.global()).unwrap();
    registry.register(says("long", &"x".repeat(5_000))).unwrap().keep();
    drop(spill);
    assert_eq!(registry.execute(call("long", "{}")).await.text().len(), 5_000);
    assert!(registry.get(READ_SPILLED).is_none());
}
