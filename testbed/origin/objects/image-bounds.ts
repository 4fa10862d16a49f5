/** On one page. */
export const maximumImageCount = 1000;
/** The smallest that is still an image. */
export const minimumImageBytes = 200;
/** Of the objects of a page. A single image may be longer. */
export const maximumImageBytes = 1_000_000;
