import { beforeEach, expect, test } from 'vitest';
import { actions, initial, reducer, type Action, type State } from './shop';
import { createStore, type Store } from './store';

let store: Store<State, Action>;

beforeEach(() => {
  store = createStore(reducer, initial);
});

test('adds', () => {
  store.dispatch(actions.add('pen'));
  expect(store.state.cart.pen).toBe(1);
});

test('tells its listeners', () => {
  const seen: number[] = [];
  const stop = store.subscribe((state) => seen.push(state.log.length));
  store.dispatch(actions.add('pen'));
  stop();
  store.dispatch(actions.add('pen'));
  expect(seen).toEqual([1]);
});

test('never goes below zero', () => {
  store.dispatch(actions.remove('pen'));
  expect(store.state.cart.pen).toBe(0);
});

test('takes one back', () => {
  store.dispatch(actions.add('pen'));
  store.dispatch(actions.add('book'));
  store.dispatch(actions.add('pen'));
  store.dispatch(actions.add('pen'));
  store.dispatch(actions.remove('pen'));
  expect(store.state).toEqual({
    cart: { pen: 2, book: 1 },
    log: ['pen', 'book', 'pen', 'pen', 'pen'],
  });
});
