import { type DynamicModule, Module } from '@nestjs/common';
import { Config } from './config.js';

/** Provides the one Config to every module. */
@Module({})
export class ConfigModule {
  static of(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: Config, useValue: config }],
      exports: [Config],
    };
  }
}
