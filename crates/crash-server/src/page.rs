//! The pages for people: the bugs, and one bug. Everything that came in is escaped, as maud escapes all that is not markup of ours.

use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use crash_path::{Folded, fold};
use maud::{DOCTYPE, Markup, html};
use percent_encoding::{NON_ALPHANUMERIC, percent_encode};

use crate::bugs::Bug;
use crate::http::{Shared, Wanted, cursor, filter};
use crate::plan::Plan;
use crate::refused::Refused;
use crate::show;
use crate::sources;
use crate::store::{BugFilter, KeyKind};
use crate::wire::{self, BugId, BugQuery, BugSummary, Callee, Label, Source};

pub const STYLE: &str = include_str!("page.css");

pub async fn list(State(app): Shared, headers: HeaderMap, wanted: Wanted) -> Result<Response, Refused> {
    let caller = app.keys.check(&app.store, &headers, KeyKind::Operator).await?;
    // A browser sends every field of a form, also those that are empty.
    let wanted = wanted.map(|Query(query)| Query(BugQuery { limit: None, ..query }));
    let filter = filter(wanted)?;
    let listed = app.store.bugs(caller.project, &filter).await?;
    let plan = app.policies.plan(&app.store, caller.project).await?;
    let rows: Vec<BugSummary> = listed.bugs.iter().map(show::summary).collect();
    let next = listed.last.map(|last| next_page(&filter, last));
    let body = html! {
        h1 { "Crashes of " (caller.project_name) }
        p { (plan.by_user.len()) " of 1000 groups of users record something now." }
        (search_form(&filter))
        (bug_table(&filter, &rows, &plan))
        @if let Some(next) = next { p { a rel="next" href=(next) { "Older crashes" } } }
    };
    Ok(page(&caller.project_name, &body))
}

fn next_page(filter: &BugFilter, last: (i64, BugId)) -> String {
    let search = percent_encode(filter.search.as_bytes(), NON_ALPHANUMERIC);
    let state = filter.state.map_or_else(String::new, |state| format!("&state={}", state.name()));
    format!("/?search={search}{state}&next={}", cursor(last))
}

fn search_form(filter: &BugFilter) -> Markup {
    html! {
        form method="get" action="/" role="search" {
            input type="search" name="search" value=(filter.search) maxlength="200" aria-label="Exception, file, message, release or id";
            button { "Search" }
        }
    }
}

pub async fn one(State(app): Shared, Path(bug): Path<String>, headers: HeaderMap) -> Result<Response, Refused> {
    let caller = app.keys.check(&app.store, &headers, KeyKind::Operator).await?;
    let id = BugId::try_from(bug).map_err(|_| Refused::NotFound)?;
    let bug = app.store.bug(caller.project, &id).await?.ok_or(Refused::NotFound)?;
    let plan = app.policies.plan(&app.store, caller.project).await?;
    let sources = sources::of_path(&app.store, caller.project, &bug).await?;
    Ok(page(&title(&show::summary(&bug)), &one_bug(&bug, &sources, &plan)))
}

fn page(title: &str, body: &Markup) -> Response {
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · wherefore collect" }
                link rel="stylesheet" href="/style.css";
            }
            body { main { (body) } }
        }
    };
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], document.into_string()).into_response()
}

fn bug_table(filter: &BugFilter, bugs: &[BugSummary], plan: &Plan) -> Markup {
    let is_whole = filter.search.is_empty() && filter.state.is_none() && filter.behind.is_none();
    html! {
        @if bugs.is_empty() {
            p { @if is_whole { "No crash was reported yet." } @else { "No crash was found." } }
        } @else {
            table {
                thead { tr {
                    th scope="col" { "Crash" } th scope="col" { "State" } th scope="col" .number { "Reports" }
                    th scope="col" { "First seen" } th scope="col" { "Last seen" } th scope="col" { "Release" }
                    th scope="col" .number { "Functions" } th scope="col" .number { "Time spent recording" }
                } }
                tbody {
                    @for bug in bugs {
                        tr {
                            th scope="row" { a href={ "/bugs/" (bug.id) } { (title(bug)) } }
                            td { (state(bug, plan)) }
                            td .number { (bug.count) }
                            td { (time(&bug.first_seen)) }
                            td { (time(&bug.last_seen)) }
                            td { (bug.release) }
                            td .number { (bug.functions) }
                            td .number { (format!("{:.1} s", bug.overhead.recorder_seconds)) }
                        }
                    }
                }
            }
        }
    }
}

fn one_bug(bug: &Bug, sources: &[Option<Source>], plan: &Plan) -> Markup {
    let summary = show::summary(bug);
    let overhead = summary.overhead;
    html! {
        p { a href="/" { "All crashes" } }
        h1 { (title(&summary)) }
        dl {
            @if let Some(message) = &summary.message { dt { "Message" } dd { (message) } }
            dt { "State" } dd { (state(&summary, plan)) }
            dt { "Reports" } dd { (summary.count) }
            dt { "First seen" } dd { (time(&summary.first_seen)) }
            dt { "Last seen" } dd { (time(&summary.last_seen)) }
            dt { "Releases" } dd { (bug.releases.iter().map(|release| release.as_str()).collect::<Vec<_>>().join(", ")) }
            dt { "Functions recorded" } dd { (summary.functions) }
            dt { "Users recording" } dd { (n_users(bug, plan)) " of 1000 groups" }
            dt { "Time spent recording" }
            dd { (format!("{:.2} s of {:.1} s", overhead.recorder_seconds, overhead.seconds)) }
            dt { "Estimated cost for a user" } dd { (format!("{:.2} %", overhead.share * 100.0)) }
        }
        h2 { "Path" }
        p {
            @if bug.path.is_cut { "Older steps were dropped. " }
            @if crash_path::is_complete(&bug.path) { "Complete: from the birth of the object to the crash." }
            @else { "Not complete yet." }
            " Positions are those of release " (bug.path_release) "."
        }
        ol .path { (folded_steps(&fold(&bug.path.labels), sources, &mut 0)) }
    }
}

/// A loop is shown once. `at` is the number of the label, as sources are by label.
fn folded_steps(steps: &[Folded], sources: &[Option<Source>], at: &mut usize) -> Markup {
    html! {
        @for step in steps {
            @match step {
                Folded::Label(label) => {
                    (one_step(&Label::from(label), sources.get(*at).and_then(Option::as_ref)))
                    @let () = *at += 1;
                }
                Folded::Repeated { times, body } => {
                    @let first = *at;
                    li { (times) " times:" ol { (folded_steps(body, sources, at)) } }
                    @let () = *at = first + step.unfolded().len();
                }
            }
        }
    }
}

fn one_step(label: &Label, source: Option<&Source>) -> Markup {
    let (what, place) = told(label);
    html! {
        li {
            span .what { (what) } " "
            @if let Some(source) = source {
                span .place { (source.file) ":" (source.line) ":" (source.column) }
                @if let Some(text) = &source.text { code { (text) } }
            } @else if let Some(place) = place {
                span .place { (place) }
            }
        }
    }
}

fn told(label: &Label) -> (&'static str, Option<String>) {
    let at = |site: &wire::Site| Some(format!("{}:{}:{}", site.file, site.line, site.column));
    let of = |function: &wire::Function| Some(format!("{}:{}:{}", function.file, function.line, function.column));
    match label {
        Label::Start { site } => ("born", at(site)),
        Label::Branch { site, taken: true } => ("condition held", at(site)),
        Label::Branch { site, taken: false } => ("condition did not hold", at(site)),
        Label::Call { site, callee: Some(Callee::Foreign(_)) } => ("call of other code", at(site)),
        Label::Call { site, .. } => ("call", at(site)),
        Label::Enter { function, .. } => ("entered", of(function)),
        Label::Exit { function, .. } => ("left", of(function)),
        Label::Return { site } => ("returned", at(site)),
        Label::Write { site } => ("written", at(site)),
        Label::Task { registered_at } => ("a callback began, registered", registered_at.as_ref().and_then(at)),
        Label::Crash { site } => ("crashed", at(site)),
    }
}

fn title(bug: &BugSummary) -> String {
    let exception = match bug.exception.as_str() {
        "" => "something that is no error",
        name => name,
    };
    match &bug.site {
        Some(site) => format!("{exception} at {}:{}", site.file, site.line),
        None => format!("{exception} outside the program"),
    }
}

fn state(bug: &BugSummary, plan: &Plan) -> Markup {
    let name = bug.state.state.name();
    html! {
        span class={ "state " (name) } {
            @match bug.state.state {
                wire::State::Growing if plan.held.contains(&bug.id) => { "growing: step " (bug.state.iteration) ", held by the budget" }
                wire::State::Growing => { "growing: step " (bug.state.iteration) }
                _ => (name)
            }
        }
    }
}

fn n_users(bug: &Bug, plan: &Plan) -> usize {
    let is_its = |index: &usize| plan.pieces[*index].bug == bug.id;
    plan.by_user.values().filter(|pieces| pieces.iter().any(is_its)).count()
}

fn time(shown: &str) -> Markup {
    html! { time datetime=(shown) { (shown.replace('T', " ").trim_end_matches('Z')) } }
}
