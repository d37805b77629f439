// What is looked at: the command, how it ended, how large it is.
import { go } from '../state/address';
import { failure as looked, lookAt, run } from '../state/run';
import { otherTheme, theme } from '../state/theme';
import { openHelp } from './Help';
import { openSearch } from './search/Search';
import { shortNumber, shortSize } from '../widgets/words';

export function Header() {
  const about = run.value;
  const failure = looked.value;
  return (
    <header class="top" role="banner">
      <img src="/icon.svg" alt="" width="20" height="20" />
      <h1>{about ? about.command.join(' ') : 'Wherefore'}</h1>
      {failure ? (
        <button class="failure-words" title="go to the failure" onClick={() => lookAt(failure)}>
          {failure.test ? `${failure.test.title}: ` : ''}
          {failure.message}
        </button>
      ) : about ? (
        <span class={about.failed ? 'bad' : 'dim'}>{about.outcome}</span>
      ) : null}
      {about ? (
        <span class="dim facts">
          {about.running ? <span class="live">being recorded</span> : null} {shortNumber(about.events)} events · {shortSize(about.size)}
          {about.number ? ` · run ${about.number}` : ''}
        </span>
      ) : null}
      <span class="spring" />
      <button class="search-button" onClick={openSearch} title="search (Ctrl-K)">
        Search functions, values, output, lines <kbd>Ctrl K</kbd>
      </button>
      <button class="quiet" onClick={() => go({ tab: 'runs' })}>
        runs
      </button>
      <button class="quiet" onClick={otherTheme} aria-label={`use the ${theme.value === 'dark' ? 'light' : 'dark'} theme`} title="dark or light">
        {theme.value === 'dark' ? '☀' : '☾'}
      </button>
      <button class="quiet" onClick={openHelp} aria-label="keys" title="keys (?)">
        ?
      </button>
    </header>
  );
}
