// Made from crates/answer-json: `UPDATE_EXPECT=1 cargo test -p answer-json`.

export type AnswerJson = WhyJson | FailuresJson | ChangeJson | BirthJson | ConditionJson | HistoryJson | EvalJson | CrashPathJson | StateJson | PlaceJson | OmissionsJson | FoundJson | SearchJson | CallsJson | EventsJson | HereJson | MoveJson | StopJson | HitsJson | LogJson | ThreadsJson | SourcesJson | SourceTextJson | OverviewJson | StackJson | ScopesJson | ChildrenJson | TasksJson | NoneJson;
export type ArgumentJson = { name: string, value: ValueJson, };
export type AskedJson = { 
/**
 * A point: `app.js:22`, `crash`, `@12345`, `P2`. Nothing: the failure, or else the end.
 */
at?: string, 
/**
 * Of a line, the newest of its times at which this expression is true.
 */
when?: string, 
/**
 * Nothing: the thread that has the point.
 */
thread?: string, 
/**
 * Names are seen from this frame of a stack, at its moment; then the rest means nothing.
 */
frame?: string, } & ({ "kind": "why", place?: string, all?: boolean, 
/**
 * The number of a passing run.
 */
against?: string, failure?: number, } | { "kind": "failures", limit?: number, next?: string, } | { "kind": "last-change", place?: string, } | { "kind": "birth", place?: string, } | { "kind": "last-condition" } | { "kind": "crash-path", 
/**
 * Nothing: what the failure is about.
 */
place?: string, 
/**
 * The number of a failure. Nothing: the first.
 */
failure?: number, 
/**
 * Only so many of the newest labels.
 */
limit?: number, } | { "kind": "history", place?: string, limit?: number, 
/**
 * Where a list goes on, as the page before it said.
 */
next?: string, } | { "kind": "eval", expression?: string, } | { "kind": "state", frame?: number, depth?: number, limit?: number, skip?: number, } | { "kind": "inspect", place: string, depth?: number, limit?: number, skip?: number, } | { "kind": "omissions", place?: string, limit?: number, } | { "kind": "why-not", file: string, line: number, limit?: number, } | { "kind": "find" } & FindJson | { "kind": "search", text: string, 
/**
 * `function`, `line`, `output`, `write` or `value`; nothing: everywhere.
 */
within?: SearchKindJson, 
/**
 * Of each kind.
 */
limit?: number, } | { "kind": "calls", function?: string, file?: string, 
/**
 * Those that the frame of the point made, rather than those that nobody made.
 */
of_point?: boolean, 
/**
 * Only calls of the project's own functions, through whatever libraries; then one level is told.
 */
own?: boolean, depth?: number, limit?: number, next?: string, } | { "kind": "events", limit?: number, next?: string, } | { "kind": "log", 
/**
 * With commas between several.
 */
expression: string, limit?: number, next?: string, } | { "kind": "here" } | { "kind": "step", stride: StrideJson, back?: boolean, } | { "kind": "seek", back?: boolean, 
/**
 * `write`, `call`, `throw`, …
 */
event?: string, place?: string, name?: string, function?: string, file?: string, line?: number, value?: string, before?: string, after?: string, same_as?: string, in_caller?: string, output?: string, index?: number, limit?: number, next?: string, } | { "kind": "threads", limit?: number, next?: string, } | { "kind": "sources", limit?: number, next?: string, } | { "kind": "source", file: string, 
/**
 * False: its text alone, at once, without how often each line was executed.
 */
counts?: boolean, } | { "kind": "overview", events?: [number, number], parts: number, 
/**
 * Of the functions that were open, only the project's own.
 */
own?: boolean, } | { "kind": "stack", limit?: number, next?: string, } | { "kind": "scopes", 
/**
 * The handle of a frame; nothing: that of the point.
 */
frame?: string, } | { "kind": "children", 
/**
 * The handle of a scope or an object.
 */
of: string, limit?: number, next?: string, } | { "kind": "tasks", limit?: number, next?: string, });
export type AwaitedJson = { value: ValueJson, result?: ValueJson, };
export type BirthJson = { kind: BirthKindJson, place: string, value: ValueJson, point?: PointJson, };
export type BirthKindJson = "made" | "first-seen" | "no-object" | "not-captured";
export type CallChangeJson = { place: string, object: number, key: string, old?: ValueJson, new?: ValueJson, by_others?: boolean, };
export type CallJson = { depth: number, point: PointJson, arguments: Array<ArgumentJson>, outcome: string, value?: ValueJson, };
export type CallRefJson = { function?: string, file: string, line?: number, event: number, };
export type CallerJson = { function?: string, file: string, line: number, };
export type CallsJson = { kind: "calls", calls: Array<CallJson>, more: boolean, 
/**
 * Where the list goes on.
 */
next?: string, };
export type ChangeJson = { kind: ChangeKindJson, place: string, point?: PointJson, old?: ValueJson, new?: ValueJson, inherited_from?: ValueJson, sender?: PointJson, reason?: string, writers?: Array<SourceLineJson>, };
export type ChangeKindJson = "written" | "created-with" | "never-written" | "by-foreign-code" | "before-recording" | "not-captured";
export type ChangedJson = { old?: ValueJson, new?: ValueJson, };
export type ChildJson = { name: string, 
/**
 * What the source writes behind the object to come to it: `.price`, `[0]`, `.get("pen")`.
 */
access?: string, value: ValueJson, 
/**
 * By which what is inside is asked for.
 */
handle?: string, };
export type ChildrenJson = { kind: "children", children: Array<ChildJson>, 
/**
 * How many there are on all pages.
 */
all?: number, 
/**
 * Where the list goes on.
 */
next?: string, };
export type ConditionJson = { kind: ConditionKindJson, point?: PointJson, condition?: string, text?: string, value?: ValueJson, reads?: Array<ReadJson>, catch?: PointJson, suspended?: PointJson, registered?: PointJson, };
export type ConditionKindJson = "condition" | "call-site" | "throw" | "resumed" | "start";
export type ConflictJson = { older: string, newer: string, };
export type CrashPathJson = { kind: "crash-path", 
/**
 * `TypeError: …`, or what was asked about.
 */
message: string, 
/**
 * The object of interest, as the source names it.
 */
object?: string, 
/**
 * The failure is about another object, named so, that was made from this one.
 */
made_into?: string, value?: ValueJson, 
/**
 * Whether the path begins with the birth of the object and has no holes.
 */
complete: boolean, 
/**
 * Older labels were left out.
 */
cut: boolean, 
/**
 * Number of labels, repetitions counted as often as they happened.
 */
labels: number, 
/**
 * Number of functions on the path.
 */
functions: number, 
/**
 * Oldest first.
 */
path: Array<PathStepJson>, 
/**
 * The lines that control went over, also where nothing was decided or called.
 */
lines: Array<LinesOfFileJson>, 
/**
 * What the recording does not tell.
 */
lacks?: Array<string>, };
export type Document = { question: QuestionJson, answer: AnswerJson, notes: Array<string>, 
/**
 * How often each answer came, where several runs were asked.
 */
runs?: Array<RunsJson>, 
/**
 * Of `crash-path --grow`: how the path was found.
 */
growth?: GrowthJson, };
export type EvalJson = { kind: "value", value: ValueJson, };
export type EventJson = { thread: number, event: number, depth: number, kind: string, file?: string, line?: number, column?: number, function?: string, names?: Array<string>, value?: ValueJson, object?: number, key?: ValueJson, frame?: number, scope?: number, values?: Array<ValueJson>, text: string, };
export type EventsJson = { kind: "events", events: Array<EventJson>, 
/**
 * Where the list goes on.
 */
next?: string, };
export type ExperimentsJson = { runs: number, checks: number, seconds: number, 
/**
 * The program as it is, and an experiment, in milliseconds.
 */
plain: number, median?: number, specific: boolean, proven: Array<ProvenJson>, };
export type FailureJson = { kind: string, message: string, point: PointJson, value?: ValueJson, difference?: string, 
/**
 * The test that failed, as its runner said.
 */
test?: TestJson, };
export type FailuresJson = { kind: "failures", failures: Array<NumberedFailureJson>, 
/**
 * How many there are on all pages.
 */
all: number, 
/**
 * Where the list goes on.
 */
next?: string, };
export type FindJson = { 
/**
 * `write`, `call`, `throw`, …
 */
event?: string, place?: string, name?: string, function?: string, file?: string, line?: number, value?: string, before?: string, after?: string, same_as?: string, in_caller?: string, output?: string, index?: number, limit?: number, next?: string, };
export type FoundEventJson = { kind: string, point: PointJson, text: string, value?: ValueJson, };
export type FoundJson = { kind: "found", results: Array<FoundEventJson>, 
/**
 * Whether there are more.
 */
more: boolean, 
/**
 * Where the list goes on.
 */
next?: string, };
export type FrameAtJson = { frame: number, function?: string, point?: PointJson, 
/**
 * Of a frame that is on the stack no more.
 */
async?: string, 
/**
 * By which its scopes are asked for.
 */
handle: string, };
export type FrameJson = { frame: number, function?: string, point?: PointJson, 
/**
 * Of a frame that is on the stack no more.
 */
async?: string, variables: Array<NamedJson>, };
export type FunctionsOfFileJson = { file: string, functions: number, recorded: number, on_path: number, };
export type GrowthJson = { 
/**
 * `complete`, `exhausted`, `not-again` or `enough`.
 */
end: string, runs: Array<GrowthStepJson>, 
/**
 * What is left to record at the end, for `record --policy`.
 */
policy: string, files: Array<FunctionsOfFileJson>, };
export type GrowthStepJson = { 
/**
 * From 1.
 */
run: number, 
/**
 * Crashes that were counted so far.
 */
crashes: number, 
/**
 * Functions that were recorded.
 */
functions: number, labels: number, 
/**
 * Whether the birth of the object is known.
 */
birth: boolean, 
/**
 * Why this run does not count.
 */
not_counted?: string, };
export type HereJson = { kind: "here", point: PointJson, };
export type HistoryChangeJson = { point: PointJson, old?: ValueJson, new?: ValueJson, };
export type HistoryJson = { kind: "history", place: string, 
/**
 * Oldest first.
 */
changes: Array<HistoryChangeJson>, 
/**
 * Older ones were left out.
 */
has_more: boolean, 
/**
 * Where the list goes on: with older ones.
 */
next?: string, };
export type HitJson = { point: PointJson, 
/**
 * What the expressions were then, in their order.
 */
values: Array<HitValueJson>, };
export type HitValueJson = { value?: ValueJson, unknown?: string, };
export type HitsJson = { kind: "hits", 
/**
 * The oldest first.
 */
hits: Array<HitJson>, 
/**
 * Where the list goes on.
 */
next?: string, };
export type HopJson = { kind: string, point: PointJson, text: string, value?: ValueJson, 
/**
 * The place that it wrote.
 */
place?: string, 
/**
 * What that held before.
 */
old?: ValueJson, rounds?: RoundsJson, 
/**
 * The branch that decided it, where both are told as one.
 */
because?: ReasonJson, 
/**
 * Beside a passing run: not-reached, other-way, other-value.
 */
difference?: string, 
/**
 * The hop that it explains, by its index.
 */
parent?: number, end?: string, 
/**
 * What ends there, where that is not the hop as a whole.
 */
end_of?: string, 
/**
 * The same in words, where `text` does not say it.
 */
end_text?: string, writers?: Array<SourceLineJson>, 
/**
 * No data leads to it from what failed.
 */
beside?: boolean, 
/**
 * Of a line that is told for another time: earlier-iteration, later-iteration, earlier-call, later-call, inner-call, outer-call.
 * It is here because of what it is the parent of.
 */
other_time?: string, 
/**
 * Since when its line was changed, where git knows.
 */
changed_since?: string, 
/**
 * What explains it and cannot be wrong by itself.
 */
with?: Array<PartJson>, };
export type JudgeQuestionJson = { number: number, call: JudgedCallJson, this?: ValueJson, arguments: Array<JudgedArgumentJson>, variables: Array<JudgedVariableJson>, outcome: OutcomeJson, changes: Array<CallChangeJson>, objects: { [key in string]: ObjectJson }, output: Array<string>, awaited: Array<AwaitedJson>, outlived_by?: number, unknown: Array<string>, claims?: Array<string>, suspicious: number, children: number, };
export type JudgeStateJson = { 
/**
 * ask, found, unsure, nothing
 */
kind: string, 
/**
 * The call that is asked about, or the wrong one.
 */
question?: JudgeQuestionJson, found?: CallRefJson, steps: Array<StepJson>, 
/**
 * One of these is wrong, and nobody knows which.
 */
candidates: Array<CallRefJson>, asked: number, suspicious: number, calls: number, verdicts: Array<VerdictJson>, conflicts: Array<ConflictJson>, notes: Array<string>, };
export type JudgedArgumentJson = { name: string, entry: ValueJson, exit: ValueJson, };
export type JudgedCallJson = { function?: string, file: string, line?: number, point: PointJson, end?: PointJson, };
export type JudgedVariableJson = { name: string, scope: string, changed: boolean, entry?: ValueJson, exit?: ValueJson, };
export type LineJson = { stream: string, 
/**
 * before, after
 */
only: string, text: string, };
export type LinesOfFileJson = { file: string, 
/**
 * First and last line of each stretch, in rising order.
 */
stretches: Array<[number, number]>, };
export type LogJson = { kind: "log", file: string, line: number, 
/**
 * As they were asked for.
 */
expressions: Array<string>, 
/**
 * The oldest first; one thread after another.
 */
hits: Array<LoggedJson>, 
/**
 * Where the list goes on.
 */
next?: string, 
/**
 * How often the line was executed, where no condition chooses among these times.
 */
all?: number, };
export type LoggedJson = { 
/**
 * Which of the times of its thread, from 1: `app.js:22#3`.
 */
hit: number, point: PointJson, caller?: CallerJson, 
/**
 * About how many milliseconds after the start of the run.
 */
ms?: number, 
/**
 * What the expressions were then, in their order.
 */
values: Array<HitValueJson>, };
export type MoveJson = { kind: "step" | "seek", 
/**
 * Nothing: the thread begins or ends there.
 */
point?: PointJson, };
export type NamedJson = { name: string, scope: string, value: ValueJson, entries?: Array<NamedJson>, 
/**
 * Entries that were left out.
 */
more?: number, 
/**
 * What was left out of it when it was recorded, in words.
 */
not_recorded?: string, };
export type NoneJson = { kind: "none", text: string, };
export type NumberedFailureJson = { number: number, kind: string, message: string, point: PointJson, value?: ValueJson, difference?: string, 
/**
 * The test that failed, as its runner said.
 */
test?: TestJson, };
export type ObjectJson = { class: string, place?: string, entry?: { [key in string]: ValueJson }, exit?: { [key in string]: ValueJson }, complete: boolean, };
export type OmissionJson = { reason: string, branch: PointJson, text: string, operation: SourceLineJson, filled_in: string, chain: Array<SourceLineJson>, certainty: string, others?: string, n_also: number, n_more_times: number, };
export type OmissionsJson = { kind: "omissions", about: string, object?: ValueJson, 
/**
 * Best first.
 */
results: Array<OmissionJson>, n_more: number, };
export type OutcomeJson = { kind: "returned" | "threw" | "unfinished", value?: ValueJson, };
export type OverviewJson = { kind: "overview", thread: number, parts: Array<PartOfRunJson>, 
/**
 * Some events of the range, evenly, each with about how many milliseconds after the start of the run it happened; left out where that is not known.
 */
times?: Array<[number, number]>, };
export type PartJson = { point: PointJson, text: string, value?: ValueJson, };
export type PartOfRunJson = { events: [number, number], calls: number, throws: number, prints: boolean, fails: boolean, 
/**
 * Frames that were open at its start, outermost first.
 */
stack: Array<[number, string]>, busiest?: string, };
export type PathLabelJson = { 
/**
 * `start`, `branch`, `call`, `enter`, `exit`, `return`, `write`, `task` or `crash`.
 */
label: string, point: PointJson, 
/**
 * The last line of what the label is about, if it is another one.
 */
end_line?: number, depth: number, 
/**
 * Of a branch.
 */
taken?: boolean, 
/**
 * Of a call: `recorded`, `foreign`, `unknown`, or where the function is that was not recorded.
 */
callee?: string, 
/**
 * Of a task: where its callback was registered.
 */
registered?: PointJson, };
export type PathStepJson = PathLabelJson | RepeatedJson;
export type PlaceJson = { kind: "state", place: NamedJson, };
export type PointJson = { 
/**
 * The name under which it can be asked about again.
 */
point?: string, event: number, thread: number, file?: string, line?: number, column?: number, function?: string, hit?: number, hits?: number, 
/**
 * The line of the source.
 */
text?: string, };
export type ProvenJson = { point: PointJson, text: string, 
/**
 * What the program came to behind the failure.
 */
reached: PointJson, };
export type QuestionJson = { kind: string, place?: string, expression?: string, 
/**
 * Of a search.
 */
text?: string, event?: string, function?: string, line?: string, file?: string, 
/**
 * Of a step: into, over or out.
 */
stride?: string, 
/**
 * Of a step or a search: against the direction of time.
 */
back?: boolean, 
/**
 * Of what is opened: a frame, a scope or an object.
 */
handle?: string, 
/**
 * Of an overview: from this event to before that one.
 */
events: [number, number], at?: string, };
export type ReadJson = { text: string, value: ValueJson, };
export type ReasonJson = { text: string, point: PointJson, };
export type RepeatedJson = { times: number, body: Array<PathStepJson>, };
export type RoundJson = { point: PointJson, value?: ValueJson, };
export type RoundsJson = { n: number, 
/**
 * There are more, further back.
 */
cut?: boolean, 
/**
 * Which of them is told, from 1.
 */
told: number, stands_out: string, text: string, 
/**
 * The nearest ones, oldest first.
 */
others: Array<RoundJson>, };
export type RunsJson = { count: number, text: string, };
export type ScopeJson = { 
/**
 * `local`, `closure` or `file`.
 */
scope: string, 
/**
 * The function that declares its variables.
 */
function?: string, 
/**
 * By which its variables are asked for.
 */
handle: string, variables: number, };
export type ScopesJson = { kind: "scopes", 
/**
 * Innermost first.
 */
scopes: Array<ScopeJson>, };
export type SearchHitJson = { kind: SearchKindJson, text: string, file?: string, line?: number, 
/**
 * Of a function its first call, of a write the write.
 */
point?: PointJson, };
export type SearchJson = { kind: "search", hits: Array<SearchHitJson>, 
/**
 * There are more of some kind.
 */
more: boolean, };
export type SearchKindJson = "function" | "line" | "output" | "write" | "value";
export type SourceJson = { file: string, lines: number, executed: number, 
/**
 * All that was recorded of it
 */
events: bigint, 
/**
 * The package that it is of, if it is not the project's own
 */
package?: string, 
/**
 * Whether the package is a tool that only runs beside the program: it was recorded because that was asked for
 */
tool: boolean, };
export type SourceLineJson = { file: string, line: number, text: string, };
export type SourceTextJson = { kind: "source", file: string, text: string, 
/**
 * Lines that have code, with how often each was executed.
 */
hits: [number, number][], };
export type SourcesJson = { kind: "sources", sources: Array<SourceJson>, 
/**
 * Where the list goes on.
 */
next?: string, };
export type StackJson = { kind: "stack", point: PointJson, 
/**
 * Innermost first; behind the outermost one those that led to it.
 */
frames: Array<FrameAtJson>, 
/**
 * Where the list goes on.
 */
next?: string, };
export type StateJson = { kind: "state", point: PointJson, 
/**
 * Innermost first.
 */
frames?: Array<FrameJson>, };
export type StepJson = { event: number, kind: string, line?: number, text: string, old?: string, };
export type StopJson = { kind: "stop", 
/**
 * Nothing: control comes to no breakpoint in that direction.
 */
point?: PointJson, 
/**
 * Which of those that were named, from 0.
 */
breakpoints: Array<number>, 
/**
 * It is where the thread failed, behind the event of the point.
 */
failure: boolean, 
/**
 * What changes there, where a change is stopped at.
 */
change?: ChangedJson, };
export type StrideJson = "into" | "over" | "out";
export type TaskJson = { point: PointJson, 
/**
 * `file`: it was loaded; `callback`: a function was called that had been handed out; `resumed`: one went on that had waited.
 */
start: string, function?: string, 
/**
 * Where a callback was handed out.
 */
registered?: PointJson, 
/**
 * Where what was resumed had waited.
 */
waited?: PointJson, };
export type TasksJson = { kind: "tasks", tasks: Array<TaskJson>, 
/**
 * Where the list goes on.
 */
next?: string, };
export type TestJson = { 
/**
 * `cart › adds up the lines`
 */
title: string, 
/**
 * Those of the suites around it, and its own; none for a file that failed as a whole.
 */
titles: Array<string>, 
/**
 * passed, failed, skipped, todo
 */
outcome: string, file?: string, line?: number, thread?: number, 
/**
 * Its first event, where code of it was recorded.
 */
first?: number, 
/**
 * The event behind its last.
 */
behind?: number, 
/**
 * Milliseconds.
 */
duration?: number, error?: string, };
export type ThreadJson = { thread: number, name: string, 
/**
 * Microseconds since 1970.
 */
start: number, 
/**
 * The first event that is kept, and one behind the last.
 */
events: [number, number], };
export type ThreadsJson = { kind: "threads", threads: Array<ThreadJson>, 
/**
 * Where the list goes on.
 */
next?: string, };
export type TriedJson = { kind: "try", point: PointJson, text: string, applied: boolean, before: string, after?: string, stopped?: string, 
/**
 * none, gone, same, another
 */
failure: string, message?: string, reached?: PointJson, lines: Array<LineJson>, };
export type TryAnswerJson = TriedJson | { kind: string, text: string, };
export type TryJson = { question: TryQuestionJson, answer: TryAnswerJson, notes: Array<string>, };
export type TryQuestionJson = { kind: "try", at: string, change: string, value?: string, };
export type ValueJson = { type: string, 
/**
 * As the source would write it, cut when long.
 */
text: string, 
/**
 * The number of an object or function.
 */
object?: number, };
export type VerdictJson = { call?: CallRefJson, verdict: string, why: string, };
export type WhyJson = { kind: "why", failure: FailureJson, 
/**
 * The whole in one sentence.
 */
summary?: string, 
/**
 * Newest first; the first is what is explained.
 */
chain: Array<HopJson>, end: string | null, 
/**
 * What running it again with one thing different showed.
 */
experiments?: ExperimentsJson, 
/**
 * How many other tests failed.
 */
more?: number, };
