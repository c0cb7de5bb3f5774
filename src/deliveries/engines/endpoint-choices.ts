/** The states of a delivery. */
export const DELIVERY_STATES = ['waiting', 'leased', 'delivered', 'failed'];

/** The engines that have an adapter. */
export const ADAPTERS = ['camunda7', 'camunda8', 'flowable', 'bonita'] as const;
export type Adapter = (typeof ADAPTERS)[number];

/** The values of a decision that an adapter can send. */
export const DECISION_VALUES = ['outcome', 'comment', 'actor'] as const;

/** The ways in which an endpoint with an adapter signs in at its engine. */
export const SCHEMES = ['none', 'basic', 'bearer', 'oauth'] as const;
export type Scheme = (typeof SCHEMES)[number];
