import { expect, it } from 'vitest';
import { laneCapacity } from '../../../../src/domain/loop/lane-capacity.ts';

it.each([
  { what: 'its places, where no quota is known', of: { width: 200, underWay: 30, left: null }, room: 170 },
  { what: 'its places, where the quota has more', of: { width: 20, underWay: 5, left: 100 }, room: 15 },
  { what: 'a half of what the quota has left', of: { width: 200, underWay: 0, left: 100 }, room: 50 },
  { what: 'less those that are under way', of: { width: 200, underWay: 30, left: 100 }, room: 20 },
  { what: 'none while too many are under way', of: { width: 200, underWay: 9, left: 10 }, room: 0 },
  { what: 'one that asks how long to wait', of: { width: 200, underWay: 0, left: 0 }, room: 1 },
])('a lane has room for $what', ({ of, room }) => expect(laneCapacity(of)).toBe(room));
