import { render } from 'preact';
import './style/tokens.css';
import './style/shell.css';
import './style/source.css';
import './style/lists.css';
import './style/chain.css';
import './style/judge.css';
import './state/opening';
import { listen } from './views/keys';
import { Shell } from './views/Shell';

listen();
render(<Shell />, document.getElementById('page')!);
