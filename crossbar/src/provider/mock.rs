//! The mock model: plays a task's script, and misses steps by chance.
//!
//! Each step of the script is carried out with the chance `skill`; a missed step is left out, and
//! the final text is said all the same. On a verify turn every missed step is made good with the
//! chance `recover`, and the final text is said again. Chances come from ChaCha8 on the rollout's
//! seed, two draws for each step whatever became of it: the same seed gives the same run, and with
//! the same seed a model of more skill carries out at least what a model of less skill does.

use super::player::Player;
use super::{ChatReply, ChatRequest, Provider, ProviderError, Setup};
use crate::domain::{LocalFuture, Model, ProviderKind, Script, ScriptStep};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::cell::RefCell;

pub(super) const KIND: ProviderKind = ProviderKind {
    name: "mock",
    doc: "plays the task's script and misses steps by chance; free, no evidence about a model",
    live: false,
    pretend: true,
    needs: &[],
    takes: &["skill", "recover"],
    harnesses: &["react", "single-shot", "text-json", "command"],
};

/// What a mock says when its task has no script.
const WITHOUT_A_SCRIPT: &str = "Done.";

struct Mock(RefCell<Player>);

#[expect(
    clippy::unnecessary_wraps,
    reason = "every row of the table has this signature"
)]
pub(super) fn build(model: &Model, setup: &Setup<'_>) -> Result<Box<dyn Provider>, ProviderError> {
    let player = match setup.script {
        Some(script) => play(model, script, setup.seed),
        None => Player::new(&model.model, Vec::new(), WITHOUT_A_SCRIPT),
    };
    Ok(Box::new(Mock(RefCell::new(player))))
}

fn play(model: &Model, script: &Script, seed: u64) -> Player {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut work, mut redo): (Vec<ScriptStep>, Vec<ScriptStep>) = (Vec::new(), Vec::new());
    for step in &script.steps {
        let (carried_out, made_good) = (draw(&mut rng), draw(&mut rng));
        if carried_out < model.skill.clamp(0.0, 1.0) {
            work.push(step.clone());
        } else if made_good < model.recover.clamp(0.0, 1.0) {
            redo.push(step.clone());
        }
    }
    let last_words = script.final_text.as_deref().unwrap_or_default();
    Player::new(&model.model, work, last_words).redoing(redo)
}

/// A number in 0..1, never 1, from the upper 53 bits.
fn draw(rng: &mut ChaCha8Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

impl Provider for Mock {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> LocalFuture<'a, Result<ChatReply, ProviderError>> {
        Box::pin(async move { Ok(self.0.borrow_mut().reply(request)) })
    }
}

#[cfg(test)]
pub(super) mod tests;
