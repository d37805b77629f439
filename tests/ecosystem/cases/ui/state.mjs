import { action, autorun, computed, makeAutoObservable, observable, reaction, runInAction, toJS } from 'mobx';
import { applyMiddleware, combineReducers, createStore } from 'redux';
import { configureStore, createSlice, createAsyncThunk } from '@reduxjs/toolkit';
import { createStore as zustand } from 'zustand/vanilla';
import { enablePatches, enableMapSet, produce, produceWithPatches, original, current } from 'immer';

class Cart {
  lines = [];
  constructor() { makeAutoObservable(this); }
  add(name, price) { this.lines.push({ name, price }); }
  get total() { return this.lines.reduce((sum, { price }) => sum + price, 0); }
}
const cart = new Cart();
autorun(() => console.log('total', cart.total));
reaction(() => cart.lines.length, (n, before) => console.log('lines', before, '→', n));
cart.add('pen', 4);
runInAction(() => { cart.lines[0].price = 5; cart.add('book', 30); });
console.log(toJS(cart.lines), observable.map({ a: 1 }), computed(() => 1).get());
const counter = createSlice({ name: 'counter', initialState: { n: 0, log: [] }, reducers: { add(state, { payload }) { state.n += payload; state.log.push(payload); } },
  extraReducers: (b) => b.addCase('later/fulfilled', (state, { payload }) => { state.n = payload; }) });
const later = createAsyncThunk('later', async (n) => n * 2);
const store = configureStore({ reducer: combineReducers({ counter: counter.reducer }) });
store.subscribe(() => console.log(JSON.stringify(store.getState())));
store.dispatch(counter.actions.add(2));
await store.dispatch(later(21));
console.log(createStore((s = 0, a) => (a.type === 'i' ? s + 1 : s), applyMiddleware(() => (next) => (a) => next(a))).dispatch({ type: 'i' }));
try { store.dispatch({}); } catch (error) { console.log(error.message); }
const bears = zustand((set) => ({ n: 0, more: () => set((s) => ({ n: s.n + 1 })) }));
bears.getState().more();
console.log(bears.getState());
enablePatches(); enableMapSet();
const base = { list: [{ a: 1 }, { a: 2 }], map: new Map([['k', 1]]), set: new Set([1]) };
const [next, patches, back] = produceWithPatches(base, (draft) => { draft.list[0].a = 9; draft.list.push({ a: 3 }); draft.map.set('l', 2); draft.set.delete(1); delete draft.none; console.log(current(draft).list.length, original(draft) === base); });
console.log(next, patches, back, next.list[1] === base.list[1], Object.isFrozen(next.list));
try { next.list.push(1); } catch (error) { console.log(error.message); }
try { produce(base, (draft) => { draft.list.length = 0; return { other: 1 }; }); } catch (error) { console.log(error.message); }
