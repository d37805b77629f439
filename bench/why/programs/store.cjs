// A store with reducers, listeners and undo, as pages have them.
const assert = require('node:assert');

function createStore(reducer, initial) {
  let state = initial;
  const listeners = new Set();
  return {
    get state() { return state; },
    dispatch(action) {
      const next = reducer(state, action);
      if (next === state) return;
      const before = state;
      state = next;
      for (const listener of listeners) listener(state, before);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function withUndo(reducer) {
  return (state, action) => {
    if (action.type === 'undo') {
      if (state.past.length === 0) return state;
      const past = state.past.slice(0, -1);
      return { present: state.past[state.past.length - 1], past };
    }
    const present = reducer(state.present, action);
    if (present === state.present) return state;
    return { present, past: [...state.past, state.present] };
  };
}

function todos(list, action) {
  switch (action.type) {
    case 'add': {
      const id = list.reduce((most, todo) => Math.max(most, todo.id), 0) + 1;
      return [...list, { id, text: action.text, done: false }];
    }
    case 'toggle':
      return list.map((todo) => (todo.id === action.id ? { ...todo, done: !todo.done } : todo));
    case 'remove': {
      const rest = list.filter((todo) => todo.id !== action.id);
      return rest.length === list.length ? list : rest;
    }
    default:
      return list;
  }
}

function countOpen(state) {
  return state.present.filter((todo) => !todo.done).length;
}

function makePage(store) {
  const page = { title: '', renders: 0 };
  const draw = () => {
    page.renders++;
    page.title = `${countOpen(store.state)} of ${store.state.present.length} open`;
  };
  draw();
  page.close = store.subscribe(draw);
  return page;
}

// checks
const store = createStore(withUndo(todos), { present: [], past: [] });
const page = makePage(store);
for (const text of ['milk', 'bread', 'eggs']) store.dispatch({ type: 'add', text });
store.dispatch({ type: 'toggle', id: 2 });
store.dispatch({ type: 'remove', id: 9 });
assert.strictEqual(page.title, '2 of 3 open');
store.dispatch({ type: 'remove', id: 1 });
store.dispatch({ type: 'undo' });
store.dispatch({ type: 'undo' });
assert.deepStrictEqual(store.state.present.map((todo) => [todo.id, todo.done]), [[1, false], [2, false], [3, false]]);
page.close();
store.dispatch({ type: 'add', text: 'salt' });
assert.strictEqual(page.renders, 8);
