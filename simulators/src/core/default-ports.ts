export const DEFAULT_PORTS = { vendor: 4010, salesforce: 4020 } as const;
