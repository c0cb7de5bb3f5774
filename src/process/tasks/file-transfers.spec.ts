import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { FileTransfers } from './file-transfers.js';

it('has places for all people together, which are free when their connections close', () => {
  const transfers = new FileTransfers({ all: 3, ofOne: 2, reason: 'too-many-downloads' });
  const begin = (id: string): EventEmitter => {
    const response = Object.assign(new EventEmitter(), {
      setTimeout: () => undefined,
      setHeader: () => undefined,
    });
    transfers.begin({ id }, new EventEmitter() as Request, response as unknown as Response);
    return response;
  };
  const responses = ['1', '1', '2'].map(begin);
  expect(() => begin('1')).toThrow('a person may read 2 files at once');
  expect(() => begin('3')).toThrow('The service is temporarily unavailable');
  for (const response of responses) response.emit('close');
  for (const response of ['1', '1', '2'].map(begin)) response.emit('close');
});
