import type { Ref } from '../../api-client/types.js';

/** How an attempt ended. */
export interface Result {
  attemptDate: string;
  status: number | null;
  message: string | null;
}

/** One attempt to deliver. */
export interface Attempt extends Result {
  duration: number | null;
  answer?: string;
}

/** A delivery in the list of an endpoint. */
export interface Delivery {
  id: string;
  /** As it was at the event. */
  task: Ref | null;
  kind: string;
  revision: number | null;
  status: 'waiting' | 'leased' | 'delivered' | 'failed';
  attempts: number;
  /** Null once it is delivered or has failed. */
  nextAttemptDate: string | null;
  worker: string | null;
  creationDate: string;
  completionDate: string | null;
  log: Attempt[];
}

/** The attributes that decide whether an endpoint gets an event. */
export interface EndpointFacts {
  state: string;
  status: string;
  kinds: string[];
  applications: Ref[];
  source: Ref | null;
  adapter: string | null;
  creationDate: string;
  secrets: unknown[];
  blockedUntil: string | null;
}

/** The address of the deliveries of an endpoint. */
export const deliveriesOf = (endpointId: unknown): string =>
  `/api/v2/process/endpoints/${String(endpointId)}/deliveries`;
