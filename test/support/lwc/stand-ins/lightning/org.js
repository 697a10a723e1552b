/**
 * Stands in for Lightning Data Service: wire adapters over `globalThis.org`, which has `rows` by id (`apiName`, `fields`), the ids of the
 * sync rows of each opportunity (`syncsOf`) and those of the list view (`list`). A field that `fields` lacks is hidden from the user.
 * `globalThis.sendUpdate`, if it is there, sends an update to another org and returns that org's refusal.
 */
const { org } = globalThis;
const open = new Set();

export function emitAll() {
  for (const one of open) one.emit();
}

/** A wire adapter whose data are `read(config)`; undefined as long as the configuration is incomplete. */
export function adapterOf(read) {
  return class {
    constructor(callback) {
      this.callback = callback;
    }
    connect() {
      open.add(this);
    }
    disconnect() {
      open.delete(this);
    }
    update(config) {
      this.config = config;
      this.emit();
    }
    emit() {
      const data = this.config === undefined ? undefined : read(this.config);
      if (data !== undefined) this.callback({ data, error: undefined });
    }
  };
}

export const rowOf = (id) => {
  const row = org.rows[id];
  const fields = Object.entries(row.fields).map(([name, value]) => [name, fieldOf(value)]);
  return { id, apiName: row.apiName, fields: Object.fromEntries(fields) };
};

const fieldOf = (value) => (value !== null && typeof value === 'object' ? value : { value, displayValue: null });

export const getRecord = adapterOf(({ recordId }) => (recordId === undefined ? undefined : rowOf(recordId)));
export const getRelatedListRecords = adapterOf(({ parentRecordId }) =>
  parentRecordId === undefined ? undefined : { records: (org.syncsOf[parentRecordId] ?? []).map(rowOf) },
);
export const getListRecordsByName = adapterOf(() => ({ records: org.list.map(rowOf), nextPageToken: null }));

export const notifyRecordUpdateAvailable = () => Promise.resolve(emitAll());

export async function updateRecord({ fields: { Id, ...fields } }) {
  const refusal = org.refuses ?? (await globalThis.sendUpdate?.(org.rows[Id].apiName, Id, fields));
  if (refusal) throw { body: { message: refusal } };
  Object.assign(org.rows[Id].fields, fields);
  emitAll();
}

/** Stands in for `NavigationMixin`: the page that a user would see is in `org.shows`. */
export const NavigationMixin = (Base) =>
  class extends Base {
    [NavigationMixin.Navigate](page) {
      org.shows = page;
    }
  };
NavigationMixin.Navigate = Symbol('Navigate');
