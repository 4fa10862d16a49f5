import { describeConformanceOf } from './support/describe-conformance.ts';

describeConformanceOf('extension-firefox');
