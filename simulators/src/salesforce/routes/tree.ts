import type { Org } from '../org.ts';
import type { ObjectDef } from '../schema/types.ts';
import { type ApiError, ApiFailure, failure } from '../store/failure.ts';
import type { Input } from '../store/input.ts';
import { rowError } from './collections.ts';
import { type ApiAnswer, type ApiRequest, listIn, objectAt, objectBody, type Route } from './route.ts';

const MAX_RECORDS = 200;
const MAX_LEVELS = 5;
const MAX_OBJECTS = 5;

type Made = { readonly referenceId: string; readonly id: string };

/** Thrown to leave the transaction, with the failed record's reference. */
class TreeFailure extends Error {
  readonly referenceId: string;
  readonly errors: readonly ApiError[];

  constructor(referenceId: string, errors: readonly ApiError[]) {
    super(referenceId);
    this.referenceId = referenceId;
    this.errors = errors;
  }
}

/** Makes records with the children nested in them, all or none. */
function handleTree(org: Org, request: ApiRequest, object: ObjectDef): ApiAnswer {
  const records = listIn(objectBody(request.body), 'records').map(objectBody);
  const made: Made[] = [];
  try {
    org.store.transact(() => {
      for (const record of records) plant(org, request, object, record, { link: {}, level: 1 }, made);
      checkSize(made);
    });
    return { status: 201, body: { hasErrors: false, results: made } };
  } catch (error) {
    if (!(error instanceof TreeFailure)) throw error;
    const result = { referenceId: error.referenceId, errors: error.errors.map(rowError) };
    return { status: 400, body: { hasErrors: true, results: [result] } };
  }
}

/** Refuses more than 200 records or five objects (REST guide, "sObject Tree"). An id's key prefix gives its object. */
function checkSize(made: readonly Made[]): void {
  if (made.length > MAX_RECORDS) throw tooMuch(`A tree holds at most ${MAX_RECORDS} records.`);
  const objects = new Set(made.map(({ id }) => id.slice(0, 3)));
  if (objects.size > MAX_OBJECTS) throw tooMuch(`A tree holds records of at most ${MAX_OBJECTS} objects.`);
}

function tooMuch(message: string): ApiFailure {
  return failure(400, 'INVALID_INPUT', message);
}

/** A record's position in the tree: the fields that refer to its parent, and its level, from 1. */
type Place = { readonly link: Input; readonly level: number };

function plant(
  org: Org,
  request: ApiRequest,
  object: ObjectDef,
  record: Input,
  { link, level }: Place,
  made: Made[],
): void {
  if (level > MAX_LEVELS) throw tooMuch(`A tree is at most ${MAX_LEVELS} levels deep.`);
  const { attributes, ...rest } = record;
  const referenceId = String((attributes as { referenceId?: unknown } | undefined)?.referenceId ?? '');
  if (referenceId === '') throw failure(400, 'INVALID_INPUT', 'Each record needs a referenceId.');
  if (made.some((each) => each.referenceId === referenceId)) {
    const message = 'Duplicate ReferenceId provided in the request.';
    throw new TreeFailure(referenceId, [{ errorCode: 'INVALID_INPUT', message }]);
  }
  const relationships = org.store.schema.children(object.name);
  const childrenOf = (key: string) =>
    relationships.find(({ relationshipName }) => relationshipName?.toLowerCase() === key.toLowerCase());
  const fields = Object.fromEntries(Object.entries(rest).filter(([key]) => childrenOf(key) === undefined));
  const id = createNamed(org, request, object, { ...fields, ...link }, referenceId);
  made.push({ referenceId, id });
  for (const [key, value] of Object.entries(rest)) {
    const relationship = childrenOf(key);
    const child = relationship && org.store.schema.object(relationship.childObject);
    if (relationship === undefined || child === undefined) continue;
    for (const each of listIn(objectBody(value), 'records')) {
      const place = { link: { [relationship.field]: id }, level: level + 1 };
      plant(org, request, child, objectBody(each), place, made);
    }
  }
}

function createNamed(org: Org, request: ApiRequest, object: ObjectDef, input: Input, referenceId: string): string {
  try {
    return org.dml.create(object, input, { userId: request.userId });
  } catch (error) {
    if (error instanceof ApiFailure) throw new TreeFailure(referenceId, error.errors);
    throw error;
  }
}

export const TREE_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    pattern: '/composite/tree/:type',
    operation: 'composite.tree',
    handle: (org, request, params) => handleTree(org, request, objectAt(org, params['type'])),
  },
];
