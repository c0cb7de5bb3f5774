import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FindOptionsWhere, Repository } from 'typeorm';
import { Database, type Reader, type Transaction } from '../../database/database.js';
import { Housekeeping } from '../../database/housekeeping.js';
import { presentUser, USER_REF } from '../../directory/user-ref.js';
import {
  type ApiError,
  conflict,
  forbidden,
  invalidField,
  notFound,
  tooLarge,
} from '../../base/errors/api-errors.js';
import { GrowingBuffer } from '../../http/growing-buffer.js';
import { NEXT_REVISION } from '../../resources/base.entity.js';
import type { Ref } from '../../resources/ref.js';
import { requirePart } from './require-part.js';
import { ResourceReader } from '../../resources/resource-reader.js';
import { uriOf } from '../../resources/uri.js';
import { type AuditContext, AuditService } from '../../security/audit.service.js';
import type { Caller } from '../../security/caller.js';
import { ParametersService } from '../../security/parameters/parameters.service.js';
import { Source } from './source.entity.js';
import { Task } from './task.entity.js';
import { TaskFile } from './task-file.entity.js';
import { OPEN, tasks } from './task.resource.js';
import { reason } from '../../base/errors/reason.js';

/** A file of a task (docs/api-contract.md#files-of-tasks). */
export interface PresentedFile {
  id: string;
  name: string;
  /** In bytes. */
  size: number;
  /** Null for a user who was deleted. */
  author: Ref | null;
  creationDate: Date;
}

/** A file for reading, with the parts of its ETag. */
export interface StoredFile extends PresentedFile {
  digest: string;
}

/** The call of a person or an engine. */
export interface FileCall {
  caller: Caller;
  auditContext: AuditContext;
  /** The task. */
  id: string;
}

interface Limits {
  /** In bytes. */
  size: number;
  count: number;
  /** Limit of all files of a task, in bytes. */
  total: number;
  /** Limit of the caller's uploads per day, in bytes. */
  perDay: number;
  /** Limit of the files of all tasks, in bytes. */
  stored: number;
}

const MEBIBYTE = 2 ** 20;

/** Bytes of a piece: the memory that one transfer takes in the server and in the database. */
const PIECE = 256 * 1024;

/** The advisory lock of the sum of all files' bytes. */
const LOCK = 2_026_112_701;

/** SQL of the day of the daily limit. */
const TODAY = "(now() AT TIME ZONE 'UTC')::date";

/** Abandoned uploads: each piece renews the date of an upload in progress. */
const LOST = "NOT stored AND date < now() - interval '1 hour'";

/**
 * Files of tasks, stored in pieces in the database. A transfer holds no connection, and one piece at a time in memory.
 */
@Injectable()
export class TaskFiles {
  constructor(
    @InjectRepository(TaskFile) private readonly files: Repository<TaskFile>,
    @InjectRepository(Source) private readonly sources: Repository<Source>,
    private readonly database: Database,
    private readonly reader: ResourceReader,
    private readonly audit: AuditService,
    private readonly parameters: ParametersService,
    housekeeping: Housekeeping,
  ) {
    housekeeping.register('task_files', LOST);
  }

  /** @throws ApiError 404 */
  async list(caller: Caller, id: string): Promise<PresentedFile[]> {
    await this.reader.get(tasks, caller, id);
    const files = await readFiles(this.files, { taskId: id });
    return files.map(present);
  }

  /** @throws ApiError 404 */
  async find(caller: Caller, id: string, fileId: string): Promise<StoredFile> {
    await this.reader.get(tasks, caller, id);
    const [file] = await readFiles(this.files, { taskId: id, id: fileId });
    if (!file) throw notFound();
    return file;
  }

  /**
   * The content of a file, a piece at a time. It reads the next one on demand.
   * @param size in bytes
   * @throws Error when a user has deleted the file meanwhile
   */
  async *content(fileId: string, size: number): AsyncGenerator<Buffer> {
    let rest = size;
    for (let position = 0; rest > 0; position++) {
      const [row] = await this.database.rows({
        text: 'SELECT content FROM task_file_pieces WHERE file_id = $1 AND position = $2',
        values: [fileId, position],
      });
      if (!row) throw new Error(`file ${fileId} was deleted while it was sent`);
      const piece = row[0] as Buffer;
      rest -= piece.length;
      yield piece;
    }
  }

  /**
   * Rejects a file before it arrives.
   * @param size the announced size, if any
   * @throws ApiError 403, 404, 409, 413
   */
  async check({ caller, id }: FileCall, size: number | undefined): Promise<void> {
    const { representation } = await this.reader.get(tasks, caller, id);
    await requirePart(this.reader, caller, id, this.database);
    await this.requireActing(this.sources, caller, representation);
    const limits = await this.limits(caller);
    if (size !== undefined && size > limits.size) throw exceeds(limits);
    await requireRoom(this.database, id, limits, size ?? 0);
    const [row] = await this.database.rows({
      text: `SELECT (SELECT bytes FROM task_file_senders WHERE user_id = $1 AND day = ${TODAY}), sum(bytes) FROM task_file_bytes`,
      values: [caller.id],
    });
    const [sent, stored] = row!.map(Number);
    if (sent! + (size ?? 1) > limits.perDay) throw exceedsDay(limits);
    if (stored! + (size ?? 1) > limits.stored) throw exceedsStored(limits);
  }

  /**
   * Stores a file while it arrives. The task has it once it is complete.
   * @param finish called before that
   * @throws ApiError 400, 403, 404, 409, 413
   */
  async store(
    call: FileCall,
    name: string,
    body: AsyncIterable<Buffer>,
    finish: () => Promise<void> | undefined,
  ): Promise<PresentedFile> {
    const limits = await this.limits(call.caller);
    const { identifiers } = await this.files.insert({
      taskId: call.id,
      authorId: call.caller.id,
      name,
    });
    const fileId = String(identifiers[0]!.id);
    try {
      const arrived = await this.receive(call, fileId, body, limits);
      await finish();
      return await this.complete(call, fileId, arrived, limits);
    } catch (error) {
      await this.files.delete(fileId);
      throw error;
    }
  }

  /** @throws ApiError 403 for another user's file; 404 */
  async delete({ caller, auditContext, id }: FileCall, fileId: string): Promise<void> {
    const file = await this.find(caller, id, fileId);
    if (!caller.rights.permits('tasks:delete-files') && file.author?.id !== caller.id)
      throw forbidden(reason('file-of-another'));
    await this.database.transaction(async (transaction) => {
      const { affected } = await transaction.of(TaskFile).delete(fileId);
      if (affected === 0) throw notFound();
      await touch(transaction, id);
      await this.audit.record(transaction, auditContext, {
        action: 'update',
        objectUri: uriOf(tasks.ref.uri, id),
        before: { file: audited(file) },
      });
    });
  }

  /** Each piece counts towards the sender's daily limit, even if the upload fails later. */
  private async receive(
    { caller }: FileCall,
    fileId: string,
    body: AsyncIterable<Buffer>,
    limits: Limits,
  ): Promise<{ size: number; digest: string }> {
    const hash = createHash('sha256');
    let size = 0;
    let position = 0;
    for await (const piece of piecesOf(body)) {
      size += piece.length;
      if (size > limits.size) throw exceeds(limits);
      hash.update(piece);
      const inserted = await this.database.execute({
        text: `WITH file AS (UPDATE task_files SET date = now() WHERE id = $1 RETURNING id),
          sent AS (
            INSERT INTO task_file_senders AS s (user_id, day, bytes) SELECT $4::bigint, ${TODAY}, $5::bigint FROM file
            ON CONFLICT (user_id) DO UPDATE SET day = excluded.day,
              bytes = excluded.bytes + CASE WHEN s.day = excluded.day THEN s.bytes ELSE 0 END
              WHERE excluded.bytes + CASE WHEN s.day = excluded.day THEN s.bytes ELSE 0 END <= $6::bigint
            RETURNING 1)
          INSERT INTO task_file_pieces (file_id, position, content) SELECT id, $2::integer, $3::bytea FROM file, sent`,
        values: [fileId, position++, piece, caller.id, piece.length, limits.perDay],
      });
      if (inserted === 0) throw await this.faultOfPiece(fileId, limits);
    }
    if (size === 0) throw invalidField('body', reason('empty'));
    return { size, digest: hash.digest('hex') };
  }

  /** Why a piece was not stored: the task has been deleted, or the sender has reached the daily limit. */
  private async faultOfPiece(fileId: string, limits: Limits): Promise<ApiError> {
    const isThere = await this.files.existsBy({ id: fileId });
    return isThere ? exceedsDay(limits) : notFound();
  }

  /** It locks the task, so that concurrent uploads cannot exceed the limits together. */
  private complete(
    { caller, auditContext, id }: FileCall,
    fileId: string,
    { size, digest }: { size: number; digest: string },
    limits: Limits,
  ): Promise<PresentedFile> {
    return this.database.transaction(async (transaction) => {
      await touch(transaction, id);
      const { representation } = await this.reader.get(tasks, caller, id, transaction);
      await this.requireActing(transaction.of(Source), caller, representation);
      await requireRoom(transaction, id, limits, size);
      if ((await sumUp(transaction)) + size > limits.stored) throw exceedsStored(limits);
      const files = transaction.of(TaskFile);
      await files.update(fileId, {
        stored: true,
        size: String(size),
        digest,
        creationDate: () => 'now()',
      });
      const [file] = await readFiles(files, { id: fileId });
      await this.audit.record(transaction, auditContext, {
        action: 'update',
        objectUri: uriOf(tasks.ref.uri, id),
        after: { file: audited(file!) },
      });
      return present(file!);
    });
  }

  /**
   * Every person who sees an open task may act on it. Of the process engines, only the one behind its source may.
   * @throws ApiError 403, 409
   */
  private async requireActing(
    sources: Repository<Source>,
    caller: Caller,
    { status, source }: Record<string, unknown>,
  ): Promise<void> {
    if (status !== OPEN) throw conflict(reason('task-closed'));
    const { rights } = caller;
    if (rights.permits('sources:push') || !rights.permits('tasks:change') || source === null)
      return;
    const own = { id: (source as Ref).id, serviceAccountId: caller.id };
    if (!(await sources.existsBy(own))) throw forbidden(reason('not-the-service-account'));
  }

  private async limits({ rights }: Caller): Promise<Limits> {
    const parameters = await this.parameters.current();
    return {
      size: parameters.number('fileSize') * MEBIBYTE,
      count: parameters.number('fileCount'),
      total: parameters.number('fileTotal') * MEBIBYTE,
      perDay: rights.permits('limits:exceed')
        ? Number.MAX_SAFE_INTEGER
        : parameters.number('filesPerDay') * MEBIBYTE,
      stored: parameters.number('filesStored') * MEBIBYTE,
    };
  }
}

const exceeds = ({ size }: Limits) => tooLarge(`${size / MEBIBYTE} MiB`);
const exceedsDay = ({ perDay }: Limits) =>
  conflict(reason('too-many-bytes-in-a-day', { max: perDay / MEBIBYTE }));
const exceedsStored = ({ stored }: Limits) =>
  conflict(reason('all-files-too-large', { max: stored / MEBIBYTE }));

/** @throws ApiError 409 */
async function requireRoom(
  reader: Reader,
  taskId: string,
  { count, total }: Limits,
  size: number,
): Promise<void> {
  const [row] = await reader.rows({
    text: 'SELECT count(*), coalesce(sum(size), 0) FROM task_files WHERE task_id = $1 AND stored',
    values: [taskId],
  });
  if (Number(row![0]) >= count) throw conflict(reason('too-many-files', { max: count }));
  if (Number(row![1]) + size > total)
    throw conflict(reason('files-too-large', { max: total / MEBIBYTE }));
}

/** Sums up the bytes of all files, and blocks other uploads from adding any until the transaction ends. */
async function sumUp(transaction: Transaction): Promise<number> {
  await transaction.rows({ text: 'SELECT pg_advisory_xact_lock($1)', values: [LOCK] });
  // A separate statement, whose snapshot includes the bytes added while this transaction waited for the lock.
  const [row] = await transaction.rows({
    text: `WITH gone AS (DELETE FROM task_file_bytes RETURNING bytes)
      INSERT INTO task_file_bytes SELECT coalesce(sum(bytes), 0) FROM gone RETURNING bytes`,
    values: [],
  });
  return Number(row![0]);
}

/** Increments the revision of a task, which locks it until the end of the transaction. */
const touch = (transaction: Transaction, id: string) =>
  transaction.of(Task).update(id, NEXT_REVISION);

/** Pieces of the same size, but for the last. */
async function* piecesOf(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const piece = new GrowingBuffer(PIECE);
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + PIECE - piece.length);
      piece.add(part);
      at += part.length;
      if (piece.length === PIECE) yield piece.take();
    }
  }
  if (piece.length > 0) yield piece.take();
}

/** Reads complete files, the oldest first. */
async function readFiles(
  files: Repository<TaskFile>,
  where: FindOptionsWhere<TaskFile>,
): Promise<StoredFile[]> {
  const found = await files.find({
    select: {
      id: true,
      name: true,
      size: true,
      digest: true,
      creationDate: true,
      author: USER_REF,
    },
    relations: { author: true },
    where: { ...where, stored: true },
    order: { id: 'ASC' },
  });
  return found.map(({ id, name, size, author, creationDate, digest }) => ({
    id,
    name,
    size: Number(size),
    author: presentUser(author),
    creationDate,
    digest: digest!,
  }));
}

const present = ({ id, name, size, author, creationDate }: StoredFile): PresentedFile => ({
  id,
  name,
  size,
  author,
  creationDate,
});

const audited = ({ id, name, size }: StoredFile) => ({ id, name, size });
