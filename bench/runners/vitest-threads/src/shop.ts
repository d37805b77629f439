export interface State {
  cart: Record<string, number>;
  log: string[];
}

export type Action = { type: 'changed'; sku: string; by: number } | { type: 'emptied' };

export const actions = {
  add: (sku: string): Action => ({ type: 'changed', sku, by: 1 }),
  remove: (sku: string): Action => ({ type: 'changed', sku, by: -2 }),
  empty: (): Action => ({ type: 'emptied' }),
};

export const initial: State = { cart: {}, log: [] };

export function reducer(state: State, action: Action): State {
  switch (action.type) {
    case 'changed': {
      const count = Math.max(0, (state.cart[action.sku] ?? 0) + action.by);
      return { cart: { ...state.cart, [action.sku]: count }, log: [...state.log, action.sku] };
    }
    case 'emptied':
      return { ...state, cart: {} };
  }
}
