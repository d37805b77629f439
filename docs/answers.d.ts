// Made from crates/answer-json: `UPDATE_EXPECT=1 cargo test -p answer-json`.

export type AnswerJson = WhyJson | FailuresJson | ChangeJson | ConditionJson | HistoryJson | EvalJson | StateJson | PlaceJson | OmissionsJson | FoundJson | CallsJson | EventsJson | HereJson | MoveJson | ThreadsJson | SourcesJson | SourceTextJson | OverviewJson | NoneJson;
export type ArgumentJson = { name: string, value: ValueJson, };
export type CallJson = { depth: number, point: PointJson, arguments: Array<ArgumentJson>, outcome: string, value?: ValueJson, };
export type CallsJson = { kind: string, calls: Array<CallJson>, more: boolean, 
/**
 * Where the list goes on.
 */
next?: string, };
export type ChangeJson = { kind: string, place: string, point?: PointJson, old?: ValueJson, new?: ValueJson, inherited_from?: ValueJson, sender?: PointJson, reason?: string, writers?: Array<SourceLineJson>, };
export type ConditionJson = { kind: string, point?: PointJson, condition?: string, text?: string, value?: ValueJson, reads?: Array<ReadJson>, catch?: PointJson, suspended?: PointJson, registered?: PointJson, };
export type Document = { question: QuestionJson, answer: AnswerJson, notes: Array<string>, 
/**
 * How often each answer came, where several runs were asked.
 */
runs?: Array<RunsJson>, };
export type EvalJson = { kind: string, value: ValueJson, };
export type EventJson = { thread: number, event: number, depth: number, kind: string, file?: string, line?: number, column?: number, function?: string, names?: Array<string>, value?: ValueJson, object?: number, key?: ValueJson, frame?: number, scope?: number, values?: Array<ValueJson>, text: string, };
export type EventsJson = { kind: string, events: Array<EventJson>, 
/**
 * Where the list goes on.
 */
next?: string, };
export type ExperimentsJson = { runs: number, checks: number, seconds: number, 
/**
 * The program as it is, and an experiment, in milliseconds.
 */
plain: number, median?: number, specific: boolean, proven: Array<ProvenJson>, };
export type FailureJson = { kind: string, message: string, point: PointJson, value?: ValueJson, difference?: string, };
export type FailuresJson = { kind: string, failures: Array<NumberedFailureJson>, 
/**
 * Where the list goes on.
 */
next?: string, };
export type FoundEventJson = { kind: string, point: PointJson, text: string, value?: ValueJson, };
export type FoundJson = { kind: string, results: Array<FoundEventJson>, 
/**
 * Whether there are more.
 */
more: boolean, 
/**
 * Where the list goes on.
 */
next?: string, };
export type FrameJson = { frame: number, function?: string, point?: PointJson, 
/**
 * Of a frame that is on the stack no more.
 */
async?: string, variables: Array<NamedJson>, };
export type HereJson = { kind: string, point: PointJson, };
export type HistoryChangeJson = { point: PointJson, old?: ValueJson, new?: ValueJson, };
export type HistoryJson = { kind: string, place: string, 
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
export type HopJson = { kind: string, point: PointJson, text: string, value?: ValueJson, rounds?: RoundsJson, 
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
end_of?: string, writers?: Array<SourceLineJson>, 
/**
 * No data leads to it from what failed.
 */
beside?: boolean, 
/**
 * Since when its line was changed, where git knows.
 */
changed_since?: string, 
/**
 * What explains it and cannot be wrong by itself.
 */
with?: Array<PartJson>, };
export type LineJson = { stream: string, 
/**
 * before, after
 */
only: string, text: string, };
export type MoveJson = { kind: string, 
/**
 * Nothing: the thread begins or ends there.
 */
point?: PointJson, };
export type NamedJson = { name: string, scope: string, value: ValueJson, entries?: Array<NamedJson>, 
/**
 * Entries that were left out.
 */
more?: number, };
export type NoneJson = { kind: string, text: string, };
export type NumberedFailureJson = { number: number, kind: string, message: string, point: PointJson, value?: ValueJson, difference?: string, };
export type OmissionJson = { reason: string, branch: PointJson, text: string, operation: SourceLineJson, filled_in: string, chain: Array<SourceLineJson>, certainty: string, others?: string, n_also: number, n_more_times: number, };
export type OmissionsJson = { kind: string, about: string, object?: ValueJson, 
/**
 * Best first.
 */
results: Array<OmissionJson>, n_more: number, };
export type OverviewJson = { kind: string, thread: number, parts: Array<PartOfRunJson>, };
export type PartJson = { point: PointJson, text: string, value?: ValueJson, };
export type PartOfRunJson = { events: [number, number], calls: number, throws: number, prints: boolean, fails: boolean, 
/**
 * Frames that were open at its start, outermost first.
 */
stack: Array<[number, string]>, busiest?: string, };
export type PlaceJson = { kind: string, place: NamedJson, };
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
export type QuestionJson = { kind: string, place?: string, expression?: string, event?: string, function?: string, line?: string, file?: string, 
/**
 * Of a step: into, over or out.
 */
stride?: string, 
/**
 * Of a step or a search: against the direction of time.
 */
back?: boolean, at?: string, };
export type ReadJson = { text: string, value: ValueJson, };
export type ReasonJson = { text: string, point: PointJson, };
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
export type SourceJson = { file: string, lines: number, executed: number, };
export type SourceLineJson = { file: string, line: number, text: string, };
export type SourceTextJson = { kind: string, file: string, text: string, 
/**
 * Lines that have code, with how often each was executed.
 */
hits: [number, number][], };
export type SourcesJson = { kind: string, sources: Array<SourceJson>, 
/**
 * Where the list goes on.
 */
next?: string, };
export type StateJson = { kind: string, point: PointJson, 
/**
 * Innermost first.
 */
frames?: Array<FrameJson>, };
export type ThreadJson = { thread: number, name: string, 
/**
 * Microseconds since 1970.
 */
start: number, 
/**
 * The first event that is kept, and one behind the last.
 */
events: [number, number], };
export type ThreadsJson = { kind: string, threads: Array<ThreadJson>, 
/**
 * Where the list goes on.
 */
next?: string, };
export type TriedJson = { kind: string, point: PointJson, text: string, applied: boolean, before: string, after?: string, stopped?: string, 
/**
 * none, gone, same, another
 */
failure: string, message?: string, reached?: PointJson, lines: Array<LineJson>, };
export type TryAnswerJson = TriedJson | { kind: string, text: string, };
export type TryJson = { question: TryQuestionJson, answer: TryAnswerJson, notes: Array<string>, };
export type TryQuestionJson = { kind: string, at: string, change: string, value?: string, };
export type ValueJson = { type: string, 
/**
 * As the source would write it, cut when long.
 */
text: string, 
/**
 * The number of an object or function.
 */
object?: number, };
export type WhyJson = { kind: string, failure: FailureJson, 
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
experiments?: ExperimentsJson, };
