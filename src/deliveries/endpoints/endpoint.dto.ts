import { IsOptional } from 'class-validator';
import { filled, items, oneOf, textOf, whole } from '../../http/body-rules.js';
import { satisfies } from '../../base/validation/class-validation.js';
import { validateTimestamp } from '../../resources/attributes/timestamps.js';
import { isId } from '../../resources/uri.js';
import { MAX_REASON } from '../events/confirmations.js';
import { type Scheme, SCHEMES } from '../engines/endpoint-choices.js';
import type { ReplayOrder } from '../events/replay.js';
import { type Reason, reason } from '../../base/errors/reason.js';

/** Most deliveries that one call names or takes. */
export const MAX_DELIVERIES = 1_000;

/** Longest lease, in seconds. */
export const MAX_LEASE = 3_600;

/** Longest wait for deliveries, in seconds. */
export const MAX_WAIT = 30;

/** Longest wait before a failed delivery is offered again, in seconds. */
export const MAX_RETRIES = 1_000;
export const MAX_DELAY = 30 * 86_400;

/** Longest name of a worker, and longest message, in characters. */
export const MAX_NAME = 200;
export const MAX_MESSAGE = 1_000;

/** Hours for which former secrets still sign: the maximum and the default. */
export const MAX_OVERLAP = 720;
export const OVERLAP = 24;

/** Longest parts of credentials, in characters. */
const MAX_CREDENTIAL = 500;
const MAX_SECRET = 8_000;
const MAX_URL = 2_000;

const text = (max: number): PropertyDecorator => filled(max, (given) => given.trim() === '');

const faultOfId = (value: unknown): Reason | undefined =>
  typeof value === 'string' && isId(value) ? undefined : reason('not-an-id');

const ids = items(MAX_DELIVERIES, 'ids of deliveries', faultOfId, { type: 'string' });

const timestamp = satisfies(validateTimestamp, { type: 'string', format: 'date-time' });

/** `POST /process/endpoints/{id}/secrets` */
export class EndpointSecretDto {
  /** Hours for which the former secrets still sign. */
  @IsOptional()
  @whole(0, MAX_OVERLAP)
  overlap = OVERLAP;
}

/** `POST /process/endpoints/{id}/replay`: deliveries by id, or those that match all other given conditions. */
export class ReplayDto implements ReplayOrder {
  @IsOptional()
  @ids
  deliveries: string[] | null = null;

  @IsOptional()
  @satisfies((value) => (value === true ? undefined : reason('not-left-out')), { enum: [true] })
  failed: true | null = null;

  @IsOptional()
  @timestamp
  from: string | null = null;

  @IsOptional()
  @timestamp
  to: string | null = null;

  @IsOptional()
  @satisfies(faultOfId, { type: 'string' })
  fromDelivery: string | null = null;
}

/** `POST /process/endpoints/{id}/fetch` */
export class FetchDto {
  @text(MAX_NAME)
  worker!: string;

  @IsOptional()
  @whole(1, MAX_DELIVERIES)
  limit = 10;

  @IsOptional()
  @whole(1, MAX_LEASE)
  lease = 60;

  @IsOptional()
  @whole(0, MAX_WAIT)
  wait = 0;
}

/** `POST /process/endpoints/{id}/complete` and `…/unlock` */
export class WorkDto {
  @text(MAX_NAME)
  worker!: string;

  @ids
  deliveries!: string[];
}

/** `POST /process/endpoints/{id}/extend` */
export class ExtendDto extends WorkDto {
  @whole(1, MAX_LEASE)
  lease!: number;
}

/** `POST /process/endpoints/{id}/fail` */
export class FailDto extends WorkDto {
  @IsOptional()
  @whole(0, MAX_RETRIES)
  retries: number | null = null;

  @IsOptional()
  @whole(0, MAX_DELAY)
  delay = 0;

  @IsOptional()
  @textOf(MAX_MESSAGE)
  message: string | null = null;
}

/** `POST /process/endpoints/{id}/refuse` */
export class RefuseDto extends WorkDto {
  @text(MAX_REASON)
  reason!: string;
}

/** `PUT /process/endpoints/{id}/credentials` */
export class EndpointCredentialsDto {
  @oneOf(SCHEMES)
  scheme!: Scheme;

  @IsOptional()
  @text(MAX_CREDENTIAL)
  user: string | null = null;

  @IsOptional()
  @text(MAX_SECRET)
  secret: string | null = null;

  @IsOptional()
  @text(MAX_URL)
  tokenUrl: string | null = null;

  @IsOptional()
  @text(MAX_CREDENTIAL)
  scope: string | null = null;

  @IsOptional()
  @text(MAX_CREDENTIAL)
  audience: string | null = null;
}
