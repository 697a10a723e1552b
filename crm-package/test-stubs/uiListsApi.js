import { createLdsTestWireAdapter } from '@salesforce/wire-service-jest-util';

/** `lightning/uiListsApi` for tests: the stub of Salesforce's runner lacks this adapter. */
export const getListRecordsByName = createLdsTestWireAdapter(jest.fn());
