import { IsOptional } from 'class-validator';
import { faultOfText, faultsOfItems, satisfies } from '../http/class-validation.js';
import { validateTimestamp } from '../resources/attributes/timestamps.js';
import { isId } from '../resources/uri.js';
import { MAX_REASON } from './confirmations.js';
import type { ReplayOrder } from './replay.js';
import { type Reason, reason } from '../errors/reason.js';

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

/** How an endpoint with an adapter signs in at its engine. */
export const SCHEMES = ['none', 'basic', 'bearer', 'oauth'] as const;
export type Scheme = (typeof SCHEMES)[number];

/** Longest parts of credentials, in characters. */
const MAX_CREDENTIAL = 500;
const MAX_SECRET = 8_000;
const MAX_URL = 2_000;

const whole = (least: number, most: number): PropertyDecorator =>
  satisfies((value) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most
      ? undefined
      : reason('out-of-range', { least, most }),
  );

const filledText = (max: number): PropertyDecorator =>
  satisfies((value) => {
    if (value === undefined || value === null) return reason('required');
    if (typeof value === 'string' && value.trim() === '') return reason('blank');
    return faultOfText(value, max);
  });

const faultOfId = (value: unknown): Reason | undefined =>
  typeof value === 'string' && isId(value) ? undefined : reason('not-an-id');

const ids: PropertyDecorator = satisfies((value) => {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_DELIVERIES)
    return reason('bad-item-count', { max: MAX_DELIVERIES, noun: 'ids of deliveries' });
  return faultsOfItems(value, faultOfId);
});

/** `POST /process/endpoints/{id}/secrets` */
export class SecretDto {
  /** Hours for which the former secrets go on to sign too. */
  @IsOptional()
  @whole(0, 720)
  overlap: number | null = null;
}

/** `POST /process/endpoints/{id}/replay`: deliveries by id, or those to which everything else that is given applies. */
export class ReplayDto implements ReplayOrder {
  @IsOptional()
  @ids
  deliveries: string[] | null = null;

  @IsOptional()
  @satisfies((value) => (value === true ? undefined : reason('not-left-out')))
  failed: true | null = null;

  @IsOptional()
  @satisfies(validateTimestamp)
  from: string | null = null;

  @IsOptional()
  @satisfies(validateTimestamp)
  to: string | null = null;

  @IsOptional()
  @satisfies(faultOfId)
  fromDelivery: string | null = null;
}

/** `POST /process/endpoints/{id}/fetch` */
export class FetchDto {
  @filledText(MAX_NAME)
  worker!: string;

  @IsOptional()
  @whole(1, MAX_DELIVERIES)
  limit: number | null = null;

  @IsOptional()
  @whole(1, MAX_LEASE)
  lease: number | null = null;

  @IsOptional()
  @whole(0, MAX_WAIT)
  wait: number | null = null;
}

/** `POST /process/endpoints/{id}/complete` and `…/unlock` */
export class WorkDto {
  @filledText(MAX_NAME)
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
  delay: number | null = null;

  @IsOptional()
  @satisfies((value) => faultOfText(value, MAX_MESSAGE))
  message: string | null = null;
}

/** `POST /process/endpoints/{id}/refuse` */
export class RefuseDto extends WorkDto {
  @filledText(MAX_REASON)
  reason!: string;
}

/** `PUT /process/endpoints/{id}/credentials` */
export class CredentialsDto {
  @satisfies((value) =>
    SCHEMES.some((scheme) => scheme === value)
      ? undefined
      : reason('not-one-of', { choices: SCHEMES }),
  )
  scheme!: Scheme;

  @IsOptional()
  @filledText(MAX_CREDENTIAL)
  user: string | null = null;

  @IsOptional()
  @filledText(MAX_SECRET)
  secret: string | null = null;

  @IsOptional()
  @filledText(MAX_URL)
  tokenUrl: string | null = null;

  @IsOptional()
  @filledText(MAX_CREDENTIAL)
  scope: string | null = null;

  @IsOptional()
  @filledText(MAX_CREDENTIAL)
  audience: string | null = null;
}
