import { describeConformanceOf } from './support/describe-conformance.ts';

describeConformanceOf('http');
