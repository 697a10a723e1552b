import { expect, it } from 'vitest';
import { bookedAfter } from '../../../playground/demo/order-steps.ts';

const lead = (createdDate: unknown) => ({ id: 'LO-1', type: 'leadOpportunity', fields: { createdDate } });

it.each([
  ['the deal is older than today', '2026-03-01T10:00:00.000Z', '2026-03-02T08:00:00.000Z'],
  ['the deal came after the demonstration began', '2026-03-02T08:30:00.000Z', '2026-03-02T08:30:00.000Z'],
  ['the deal has no date', undefined, '2026-03-02T08:00:00.000Z'],
])('books an order after its deal where %s', (_, made, booked) => {
  expect(bookedAfter(lead(made), new Date('2026-03-02T08:00:00.000Z'))).toBe(booked);
});
