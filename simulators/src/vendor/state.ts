import type { KeyRing, KeySnapshot } from './keys.ts';
import type { Store, StoreSnapshot } from './store.ts';
import type { World, WorldSnapshot } from './world/world.ts';

/** The parts whose data a state file keeps. */
export type StateParts = { readonly store: Store; readonly world: World; readonly keys: KeyRing };

const STATE_FORMAT = 2;

/** The content of a state file: all data, and keys as hashes. */
export type State = {
  readonly format: number;
  readonly store: StoreSnapshot;
  readonly world: WorldSnapshot;
  readonly keys: KeySnapshot;
};

/** The present data as JSON. */
export function toState({ store, world, keys }: StateParts): State {
  return { format: STATE_FORMAT, store: store.snapshot(), world: world.snapshot(), keys: keys.snapshot() };
}

/** Restores saved data. Throws an error if it has another version. */
export function loadState(saved: unknown, path: string, { store, world, keys }: StateParts): void {
  const state = saved as Partial<State> | null;
  if (state?.format !== STATE_FORMAT || !state.store || !state.world || !state.keys) {
    throw new Error(`${path} is no state of this simulator's version. Move it away, or choose another file.`);
  }
  store.load(state.store);
  world.load(state.world);
  keys.load(state.keys);
}
