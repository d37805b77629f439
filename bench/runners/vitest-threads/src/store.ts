export type Reducer<S, A> = (state: S, action: A) => S;

export interface Store<S, A> {
  readonly state: S;
  dispatch(action: A): void;
  subscribe(listener: (state: S) => void): () => void;
}

export function createStore<S, A>(reducer: Reducer<S, A>, initial: S): Store<S, A> {
  let state = initial;
  const listeners = new Set<(state: S) => void>();
  return {
    get state() {
      return state;
    },
    dispatch(action) {
      state = reducer(state, action);
      listeners.forEach((listener) => listener(state));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
