//! Who records what, under a budget.
//!
//! A pure function of what is in the database, so that all instances hand out the same policies. It keeps two promises, which a test
//! tries on random bugs and users: no user is given more than its share of time, and no more than a share of the users anything.
//!
//! A bug whose functions cost one user too much is cut into pieces. Each piece has the functions on the path, as it is known, and a
//! part of those that are tried; so what one user finds out is on the path of all in the next step. If the path alone is too dear the
//! bug is held back: the budget comes first.

use std::collections::{BTreeMap, BTreeSet};

use crash_path::{FunctionRef, Label};
use sha2::{Digest, Sha256};

use crate::bugs::Bug;
use crate::wire::BugId;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Budget {
    /// The share of its time that a user may lose.
    pub per_user: f64,
    /// The share of the users who may lose any.
    pub users: f64,
}

/// The users of a project.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Users {
    /// Who was there lately.
    pub active: BTreeSet<u16>,
    pub met: BTreeMap<BugId, BTreeSet<u16>>,
    /// Changes now and then, so that it is not always the same users who pay.
    pub turn: u64,
}

/// A part of the work on a bug that one user can do.
#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    pub bug: BugId,
    pub functions: Vec<FunctionRef>,
    /// What it is thought to cost, as a share of the user's time.
    pub cost: f64,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Plan {
    pub pieces: Vec<Piece>,
    /// Indices of pieces. Users who are not here record nothing.
    pub by_user: BTreeMap<u16, Vec<usize>>,
    /// Bugs for which nobody may record all that would be needed.
    pub held: BTreeSet<BugId>,
}

/// Costs are sums of fractions, which are not exact.
const ROUNDING: f64 = 1e-9;

/// `bugs` are those that grow.
pub fn plan(bugs: &[Bug], users: &Users, budget: &Budget) -> Plan {
    let mut plan = Plan::default();
    for bug in bugs {
        let pieces = pieces(bug, budget.per_user);
        if pieces.is_empty() {
            plan.held.insert(bug.id.clone());
        }
        plan.pieces.extend(pieces);
    }
    if plan.pieces.is_empty() {
        return plan;
    }
    let mut n_given = vec![0usize; plan.pieces.len()];
    for user in chosen(bugs, users, budget.users) {
        let has_met = |piece: &Piece| users.met.get(&piece.bug).is_some_and(|met| met.contains(&user));
        let mut order: Vec<usize> = (0..plan.pieces.len()).collect();
        order.sort_by_key(|&index| (!has_met(&plan.pieces[index]), n_given[index], index));
        let mut left = budget.per_user;
        let mut given: Vec<usize> = Vec::new();
        for index in order {
            let piece = &plan.pieces[index];
            let is_twice = given.iter().any(|other| plan.pieces[*other].bug == piece.bug);
            if piece.cost <= left + ROUNDING && !is_twice {
                left -= piece.cost;
                n_given[index] += 1;
                given.push(index);
            }
        }
        plan.by_user.insert(user, given);
    }
    plan
}

/// Users who record something. Half of them are those who met a bug, as they will meet it again; the others take turns.
fn chosen(bugs: &[Bug], users: &Users, share: f64) -> Vec<u16> {
    // However few users there are, without any nothing would ever be found.
    let n_chosen = ((users.active.len() as f64 * share).floor() as usize).clamp(1, users.active.len().max(1));
    let n_met =
        |user: &u16| bugs.iter().filter(|bug| users.met.get(&bug.id).is_some_and(|met| met.contains(user))).count();
    let mixed = |user: &u16| Sha256::digest(format!("turn {} user {user}", users.turn).as_bytes()).to_vec();
    let mut in_turn: Vec<u16> = users.active.iter().copied().collect();
    in_turn.sort_by_cached_key(mixed);
    let mut by_meetings: Vec<u16> = in_turn.iter().copied().filter(|user| n_met(user) > 0).collect();
    by_meetings.sort_by_key(|user| std::cmp::Reverse(n_met(user)));
    let mut chosen: Vec<u16> = by_meetings.into_iter().take(n_chosen.div_ceil(2)).collect();
    for user in in_turn {
        if chosen.len() < n_chosen && !chosen.contains(&user) {
            chosen.push(user);
        }
    }
    chosen
}

/// Empty if not even the path as it is known fits into the budget.
fn pieces(bug: &Bug, per_user: f64) -> Vec<Piece> {
    let on_path: BTreeSet<&FunctionRef> = bug.path.labels.iter().filter_map(Label::function).collect();
    let (core, tried): (Vec<&FunctionRef>, Vec<&FunctionRef>) =
        bug.grown.functions().partition(|function| on_path.contains(*function));
    let cost = bug.cost_of_function();
    let n_affordable = match cost > 0.0 {
        true => (per_user / cost + ROUNDING).floor() as usize,
        false => usize::MAX,
    };
    let n_tried_at_once = n_affordable.saturating_sub(core.len());
    if n_tried_at_once == 0 && (!tried.is_empty() || core.len() > n_affordable) {
        return Vec::new();
    }
    let piece = |part: &[&FunctionRef]| {
        let functions: Vec<FunctionRef> = core.iter().chain(part).map(|function| (*function).clone()).collect();
        Piece { bug: bug.id.clone(), cost: cost * functions.len() as f64, functions }
    };
    match tried.is_empty() {
        true => vec![piece(&[])],
        false => tried.chunks(n_tried_at_once.max(1)).map(piece).collect(),
    }
}

#[cfg(test)]
mod tests {
    use crash_path::{Grown, Path, SiteRef};
    use proptest::prelude::*;
    use trace_model::FunctionKey;

    use super::*;
    use crate::wire::{Release, State};

    fn function(number: u64) -> FunctionRef {
        FunctionRef { file: "app.js".to_owned(), key: FunctionKey(number), line: 1, column: 1 }
    }

    /// A bug for which so many functions are recorded, of which some are on the path.
    fn bug(number: u64, n_on_path: u64, n_tried: u64, cost: f64) -> Bug {
        let label = |key| Label::Exit { function: function(key), caller: None };
        let stack = vec![SiteRef { function: function(0), within: None, line: 1, column: 1 }];
        let path = Path { labels: (0..n_on_path).map(label).collect(), stack, ..Path::default() };
        let release = Release::try_from("1".to_owned()).expect("a release");
        let mut bug = Bug::new(&format!("report {number}"), path, release, 0);
        bug.state = State::Growing;
        bug.grown = Grown::from_states((0..n_on_path + n_tried).map(|key| (function(key), true, false)));
        bug.cost.per_function = Some(cost);
        bug
    }

    fn users(n_active: u16) -> Users {
        Users { active: (0..n_active).collect(), ..Users::default() }
    }

    proptest! {
        #[test]
        fn the_budget_is_kept(
            sizes in prop::collection::vec((0u64..20, 0u64..40, 0.0f64..0.02), 0..6),
            n_active in 0u16..1000,
            met in prop::collection::vec((0usize..6, 0u16..1000), 0..20),
            per_user in 0.0f64..0.2,
            share in 0.0f64..1.0,
        ) {
            let bugs: Vec<Bug> =
                sizes.iter().zip(0..).map(|((path, tried, cost), number)| bug(number, *path, *tried, *cost)).collect();
            let mut users = users(n_active);
            for (index, user) in met {
                if let Some(bug) = bugs.get(index) {
                    users.met.entry(bug.id.clone()).or_default().insert(user);
                }
            }
            let plan = plan(&bugs, &users, &Budget { per_user, users: share });
            let most = ((f64::from(n_active) * share) as usize).max(1);
            prop_assert!(plan.by_user.len() <= most, "{} of {n_active} users record", plan.by_user.len());
            for (user, pieces) in &plan.by_user {
                prop_assert!(users.active.contains(user));
                let cost: f64 = pieces.iter().map(|index| plan.pieces[*index].cost).sum();
                prop_assert!(cost <= per_user + 1e-6, "user {user} pays {cost} of {per_user}");
            }
        }

        /// All functions of a bug are recorded by somebody, or it is said that it is held.
        #[test]
        fn pieces_have_all_functions(n_on_path in 0u64..20, n_tried in 1u64..40, cost in 0.0f64..0.02, per_user in 0.0f64..0.2) {
            let bug = bug(1, n_on_path, n_tried, cost);
            let pieces = pieces(&bug, per_user);
            let recorded: BTreeSet<&FunctionRef> = pieces.iter().flat_map(|piece| &piece.functions).collect();
            prop_assert!(pieces.is_empty() || recorded.into_iter().eq(bug.grown.functions()));
            let on_path = |piece: &Piece| piece.functions.iter().filter(|function| function.key.0 < n_on_path).count() as u64;
            prop_assert!(pieces.iter().all(|piece| on_path(piece) == n_on_path));
        }
    }

    #[test]
    fn a_dear_bug_is_cut_into_pieces() {
        let pieces = pieces(&bug(1, 2, 5, 0.01), 0.04);
        assert_eq!(pieces.iter().map(|piece| piece.functions.len()).collect::<Vec<_>>(), [4, 4, 3]);
    }

    #[test]
    fn a_bug_whose_path_is_too_dear_is_held() {
        let bugs = [bug(1, 5, 1, 0.01)];
        let plan = plan(&bugs, &users(10), &Budget { per_user: 0.03, users: 1.0 });
        assert!(plan.held.contains(&bugs[0].id) && plan.by_user.is_empty());
    }

    #[test]
    fn other_users_have_their_turn() {
        let bugs = [bug(1, 1, 1, 0.001)];
        let chosen_in = |turn| {
            let users = Users { turn, ..users(100) };
            plan(&bugs, &users, &Budget { per_user: 0.03, users: 0.1 }).by_user.into_keys().collect::<Vec<_>>()
        };
        assert_eq!(chosen_in(1), chosen_in(1));
        assert_ne!(chosen_in(1), chosen_in(2));
    }
}
