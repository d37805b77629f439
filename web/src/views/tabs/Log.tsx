// What expressions were at every hit of a line: print statements after the fact.
import { useEffect, useState } from 'preact/hooks';
import type { LogJson, Question } from '../../api/types';
import { momentOf } from '../../api/types';
import { address, go } from '../../state/address';
import { job } from '../../state/job';
import { keyOf, loggedAgain, logAgain } from '../../state/log';
import { moment } from '../../state/moment';
import { Notes } from '../../widgets/Notes';
import { Value } from '../../widgets/Value';
import { VirtualList } from '../../widgets/VirtualList';
import { counted, grouped } from '../../widgets/words';
import { useAnswer } from './useAnswer';

const PAGE = 500;
type LogHit = LogJson['hits'][number];

export function Log() {
  const { logAt, logWhat, logWhen } = address.value;
  const [limit, setLimit] = useState(PAGE);
  useEffect(() => setLimit(PAGE), [logAt, logWhat, logWhen]);
  const question: Question | undefined = logAt && logWhat ? { kind: 'log', expression: logWhat, at: logAt, when: logWhen, limit } : undefined;
  const own = useAnswer<LogJson>(question);
  const again = question && loggedAgain.value?.key === keyOf(question) ? loggedAgain.value : undefined;
  const { notes, isBusy } = own;
  const answer = again?.answer ?? own.answer;
  const problem = again ? undefined : own.problem;
  const hits = answer?.hits ?? [];
  // A run that recorded little may not tell the stack there, but its source can be looked at.
  const show = ({ point }: LogHit): void => {
    const { file, line } = point;
    go(again?.run === undefined ? momentOf(point) : { ...momentOf(point), run: again.run, file, line });
  };
  const now = moment.value?.point;
  const here = again ? -1 : hits.findIndex((hit) => hit.point.event === now?.event && hit.point.thread === now.thread);
  const [active, setActive] = useState(0);
  useEffect(() => {
    if (here >= 0) setActive(here);
  }, [here]);
  const hasThreads = hits.some((hit) => hit.point.thread !== hits[0]!.point.thread);
  return (
    <div class="list log">
      <form
        class="list-head"
        onSubmit={(submit) => {
          submit.preventDefault();
          const field = (name: string): string | undefined => (new FormData(submit.currentTarget).get(name) as string).trim() || undefined;
          go({ logWhat: field('what'), logAt: field('at'), logWhen: field('when') });
        }}
      >
        <label>
          log <input name="what" class="wide" aria-label="expressions" key={`what ${logAt} ${logWhat}`} defaultValue={logWhat ?? ''} placeholder="line.price, percent" />
        </label>
        <label>
          at <input name="at" aria-label="line" key={`at ${logAt}`} defaultValue={logAt ?? placeNow()} placeholder="app.js:22" />
        </label>
        <label>
          when <input name="when" aria-label="condition" key={`when ${logWhen}`} defaultValue={logWhen ?? ''} placeholder="each time" />
        </label>
        <button class="quiet">show</button>
        <span class="dim">{isBusy ? 'looking …' : answer ? wordsOf(answer) : ''}</span>
        {answer?.next ? (
          <button type="button" class="quiet" onClick={() => setLimit(limit * 4)}>
            later ones are left out: show more
          </button>
        ) : null}
        <Notes of={notes} />
        {again?.run === undefined ? null : <span class="dim">of run {again.run}, in which the program was run again</span>}
        {problem ? <span class="bad">{problem}</span> : null}
        {question && problem && own.problemId === 'not-recorded' ? (
          <button type="button" class="primary" disabled={job.value !== undefined} onClick={() => logAgain(question, `log ${logWhat} at ${logAt}`)}>
            Run it again for this log
          </button>
        ) : null}
      </form>
      <VirtualList
        label="log"
        count={hits.length}
        rowHeight={22}
        active={Math.min(active, Math.max(0, hits.length - 1))}
        onActive={setActive}
        onChoose={(row) => hits[row] && show(hits[row])}
        rowProps={(row) => ({ class: row === here ? 'at-here' : '' })}
        empty={question ? (isBusy ? 'looking …' : problem ? '' : 'no hit') : 'type an expression and a line: its value at every hit is shown here'}
      >
        {(row) => {
          const hit = hits[row]!;
          const { caller } = hit;
          return (
            <>
              <span class="column-hit dim">#{grouped(hit.hit)}</span>
              {hasThreads ? <span class="column-hit dim">thread {hit.point.thread}</span> : null}
              <span class="column-time dim" title="about how long after the start of the run">
                {hit.ms === undefined ? '' : `${grouped(Math.round(hit.ms))} ms`}
              </span>
              {hit.values.map((one, at) => (
                <span class="column-logged" key={answer!.expressions[at]} title={answer!.expressions[at]}>
                  {one.value ? <Value value={one.value} cut={80} /> : <span class="dim">{one.unknown}</span>}
                </span>
              ))}
              <span class="spring" />
              <span class="column-caller dim">{caller ? `called from ${caller.function ?? 'top level'}, ${caller.file}:${caller.line}` : ''}</span>
            </>
          );
        }}
      </VirtualList>
    </div>
  );
}

/** The line of the moment, where none was chosen. */
function placeNow(): string {
  const point = moment.peek()?.point;
  return point?.file && point.line ? `${point.file}:${point.line}` : '';
}

function wordsOf(answer: LogJson): string {
  const shown = answer.hits.length;
  if (answer.all !== undefined && answer.all !== shown) return `${grouped(shown)} of ${counted(answer.all, 'hit')}`;
  return answer.next ? `the first ${counted(shown, 'hit')}` : counted(shown, 'hit');
}
