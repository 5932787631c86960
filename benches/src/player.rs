//! A program that plays rounds of calls when it is told to.

use std::sync::Arc;
use std::sync::mpsc;

use dayfly::{CallError, CodeRuntime as _, Json, Language, Namespace, RunRequest};
use tokio::sync::Mutex;
use tokio::sync::mpsc as jobs;

use crate::Host;

/// One run that lasts as long as the bench, so that its rounds are warm and starting it is in none of them.
#[derive(Debug)]
pub struct Player {
    next: jobs::UnboundedSender<usize>,
    over: mpsc::Receiver<()>,
}

impl Player {
    /// Starts a program whose `round` makes `count` calls of `tools.echo`, and waits until it is ready to play.
    ///
    /// `before` is what it does once; both are at the top level of a loop's body, or in Python of a function's.
    ///
    /// # Panics
    ///
    /// When it does not become ready.
    #[must_use]
    pub fn start(host: &Host, language: Language, before: &str, round: &str) -> Self {
        let (next, waiting) = jobs::unbounded_channel::<usize>();
        let waiting = Arc::new(Mutex::new(waiting));
        let (done, over) = mpsc::channel();
        let tools =
            Namespace::tools().async_fn("echo", |call| async move { Ok(call.arguments) }).async_fn("next", move |_| {
                // Nobody listens any more when the bench has ended.
                let _ = done.send(());
                let waiting = Arc::clone(&waiting);
                async move {
                    let count = waiting.lock().await.recv().await;
                    count.map(|count| Json::from(count.to_string())).ok_or_else(|| CallError::new("the bench is over"))
                }
            });
        let program = program(language, before, round);
        let runtime = host.supervisor().runtime(language);
        host.tokio().spawn(async move {
            // It ends with the host: as an abort, or because nobody tells it to play.
            let _ = runtime.run(RunRequest::new(program).bind(tools)).await;
        });
        let player = Self { next, over };
        assert!(player.over.recv().is_ok(), "{language}: the player did not become ready");
        player
    }

    /// Plays one round of `count` calls and waits for its end.
    ///
    /// # Panics
    ///
    /// When the program has ended.
    pub fn round(&self, count: usize) {
        let played = self.next.send(count).is_ok() && self.over.recv().is_ok();
        assert!(played, "a player has ended");
    }
}

/// The text of a player's program: it asks `tools.next` how many calls to make, and plays.
pub(crate) fn program(language: Language, before: &str, round: &str) -> String {
    if language == Language::Python {
        let round = round.replace('\n', "\n        ");
        return format!(
            "import asyncio\n{before}\nasync def play():\n    while True:\n        count = int(await tools.next())\n        \
             {round}\nawait play()"
        );
    }
    format!("{before}\nfor (;;) {{\nconst count = +(await tools.next());\n{round}\n}}")
}
