/** The states of a delivery. */
export const DELIVERY_STATES = ['waiting', 'leased', 'delivered', 'failed'];

/** The engines in whose own form decisions are sent. */
export const ADAPTERS = ['camunda7', 'camunda8', 'flowable', 'bonita'] as const;
export type Adapter = (typeof ADAPTERS)[number];

/** What can be sent of a decision. */
export const DECISION_VALUES = ['outcome', 'comment', 'actor'] as const;

/** How an endpoint with an adapter signs in at its engine. */
export const SCHEMES = ['none', 'basic', 'bearer', 'oauth'] as const;
export type Scheme = (typeof SCHEMES)[number];
