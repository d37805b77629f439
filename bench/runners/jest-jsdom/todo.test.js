const { Store } = require('./store');
const { mount } = require('./view');

let root, store;

beforeEach(() => {
  document.body.innerHTML = '<div id="root"></div>';
  root = document.getElementById('root');
  store = new Store();
  mount(root, store);
});

test('an empty list', () => {
  expect(root.querySelectorAll('li')).toHaveLength(0);
});

test('items are shown', () => {
  store.add('milk');
  expect(root.querySelector('li').textContent).toBe('milk');
});

test('a click ticks an item off', () => {
  store.add('milk');
  root.querySelector('li').click();
  expect(store.items[0].done).toBe(true);
});

test('counts what is left', () => {
  for (const title of ['milk', 'bread', 'eggs']) store.add(title);
  root.querySelector('li').click();
  expect(root.querySelector('.left').textContent).toBe('2 left');
});
