// The panels, and where they are.
import { type Remedy as Offered, said } from '../state/said';
import { Split, sizes } from '../widgets/Split';
import { Menu } from '../widgets/menu';
import { Chain } from './chain/Chain';
import { Header } from './Header';
import { Help } from './Help';
import { Search } from './search/Search';
import { Source } from './source/Source';
import { Steps } from './Steps';
import { Tabs } from './tabs/Tabs';
import { Timeline } from './timeline/Timeline';
import { Values } from './values/Values';

export function Shell() {
  const { chain, values, bottom, timeline } = sizes.value;
  return (
    <div class="shell" style={{ '--chain': `${chain}px`, '--values': `${values}px`, '--bottom': `${bottom}px`, '--timeline': `${timeline}px` }}>
      <Header />
      <main class="all">
        <Timeline />
        <Split name="timeline" label="height of the timeline" axis="y" grows={1} />
        <div class="middle">
          <Chain />
          <Split name="chain" label="width of the chain" axis="x" grows={1} />
          <div class="centre">
            <Steps />
            <Source />
          </div>
          <Split name="values" label="width of the values" axis="x" grows={-1} />
          <Values />
        </div>
        <Split name="bottom" label="height of the tabs" axis="y" grows={-1} />
        <Tabs />
        <Menu />
      </main>
      <Help />
      <Search />
      <div class="said" role="status" aria-live="polite">
        {said.value ? <div class={`said-${said.value.kind}`}>{said.value.text}{said.value.remedies.map((one) => <Remedy key={one.text} of={one} />)}</div> : null}
      </div>
    </div>
  );
}

function Remedy({ of }: { of: Offered }) {
  const act = (): void => {
    said.value = undefined;
    of.act();
  };
  return (
    <>
      {' '}
      <button class="primary" onClick={act}>
        {of.text}
      </button>
    </>
  );
}
