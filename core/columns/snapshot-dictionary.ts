/**
 * What Snapshots often hold, in columns and not: half of a small page's bytes are names of fields. zstd refers to it, so that they are not in each Snapshot.
 * A Snapshot that was compressed against it begins with this mark, and zstd's frame follows. Both stay as they are for as long as such Snapshots are stored:
 * another text gets a mark of its own, and readers know both. Neither zstd nor gzip begins with such a byte.
 */
export const snapshotDictionary = {
  mark: 1,
  text: [
    '"failure":"net::ERR_ABORTED","failure":"NS_BINDING_ABORTED","kind":"background","isUnused":true,"pushed":true,"serverMs":"activationStart":"finalResponseHeadersStart":',
    '"isolation":"incognito","isolation":"container","origin":"extension","viewport":null,"settled":false,"visibilityState":"hidden","wasEverHidden":true,"type":"reload",',
    '"application/javascript","text/javascript","text/css","application/json","image/png","image/webp","image/svg+xml","image/gif","font/woff2","text/plain",',
    '{"kind":"style-sheet","url":"https://{"kind":"css-image","url":"{"kind":"font","url":"{"kind":"script","url":"{"kind":"frame","url":"{"kind":"image","url":"http://',
    '"areaPx":null,"elementEventMs":null,"failed":false,"pending":false,"frameIndex":null},',
    '"nextHopProtocol":"h2","transferSize":0,"encodedBodySize":0,"decodedBodySize":0,"responseStatus":200,"initiatorType":"css","renderBlockingStatus":"blocking"},{"name":"',
    '"initiatorType":"link","initiatorType":"script","initiatorType":"fetch","initiatorType":"img","renderBlockingStatus":null},{"name":"http://',
    '","startTime":,"redirectStart":0,"redirectEnd":0,"fetchStart":,"domainLookupStart":,"domainLookupEnd":,"connectStart":,"connectEnd":,"secureConnectionStart":0,"requestStart":,',
    '"responseStart":,"responseEnd":,"nextHopProtocol":"http/1.1","transferSize":,"encodedBodySize":,"decodedBodySize":,"responseStatus":200,"initiatorType":"img","renderBlockingStatus":"non-blocking"},',
    '{"id":"2","hop":0,"url":"http://","type":"style-sheet","type":"script","type":"font","type":"fetch","type":"other","type":"image","isMainDocument":false,"isRenderBlocking":null,"initiatorUrl":"http://',
    '","startEpochMs":,"sentEpochMs":,"responseEpochMs":,"endEpochMs":,"failure":null,"status":200,"protocol":"http/1.1","connectionId":"1","fromCache":false,"receivedBytes":null,"receivedBodyBytes":,"decodedBytes":null,',
    '"exchange":{"method":"GET","statusText":"","mimeType":"image/jpeg","serverAddress":"198.19.0.","phases":{"dns":null,"connect":null,"tls":null,"send":null},"headers":null},"isConnectionReused":true},',
    '"unusedPushes":{"count":0,"bytes":0},"documents":[{"url":"http://","startEpochMs":17}]}',
    '{"id":"1","hop":0,"type":"document","isMainDocument":true,"startEpochMs":17,"exchange":{"method":"GET","statusText":"OK","mimeType":"text/html; charset=utf-8","serverAddress":"127.0.0.1",',
    '"phases":{"dns":[17,"connect":[17,"tls":[17,"send":[17]},"headers":null},"url":"https://","isRenderBlocking":null,"initiatorUrl":null,"sentEpochMs":17,"responseEpochMs":17,"endEpochMs":17,"failure":null,"status":200,"protocol":"h3","connectionId":"',
    '{"version":1,"requestedUrl":"https://www.","viewport":{"widthPx":1366,"heightPx":768},"settled":true,"takenEpochMs":17,"frames":[{"path":[],"url":"http://","title":"","timeOrigin":17,"visibilityState":"visible","wasEverHidden":false,',
    '"navigation":{"name":"http://","startTime":0,"redirectStart":0,"redirectEnd":0,"fetchStart":,"domainLookupStart":,"domainLookupEnd":,"connectStart":,"connectEnd":,"secureConnectionStart":0,"requestStart":,"responseStart":,"responseEnd":,',
    '"nextHopProtocol":"http/1.1","transferSize":,"encodedBodySize":,"decodedBodySize":,"responseStatus":200,"type":"navigate","redirectCount":0,"domInteractive":,"domContentLoadedEventStart":,"domContentLoadedEventEnd":,"loadEventStart":,"loadEventEnd":,"legacyResponseEndEpochMs":17},',
    '"firstPaintMs":null,"firstContentfulPaintMs":,"largestContentfulPaintMs":,"largestContentfulPaintUrl":null,"layoutShifts":[],"longTasks":[],"interactions":[],"interactionCount":0,"resources":[],"prefetchUrls":[],"viewportNeeds":null,"opaqueStyleSheets":[],"undeclaredFontFamilies":[],"declaredFontUrls":[]}],"requests":[',
    '"resources":{"$columns":[{"name":"name","values":["http://","https://"]},{"name":"startTime","steps":[]},{"name":"redirectStart","value":0},{"name":"redirectEnd","value":0},{"name":"fetchStart","from":[0,0,0,0,0,0,0,0]},',
    '{"name":"domainLookupStart","from":[0,0,0,0]},{"name":"domainLookupEnd","from":[0,0,0,0]},{"name":"connectStart","from":[0,0,0,0]},{"name":"connectEnd","from":[0,0,0,0]},{"name":"secureConnectionStart","value":0},{"name":"requestStart","steps":[]},{"name":"responseStart","steps":[]},{"name":"responseEnd","steps":[]},',
    '{"name":"nextHopProtocol","value":"http/1.1"},{"name":"transferSize","values":[]},{"name":"encodedBodySize","values":[]},{"name":"decodedBodySize","values":[]},{"name":"responseStatus","value":200},{"name":"initiatorType","value":"img"},{"name":"renderBlockingStatus","value":"non-blocking"}]},"prefetchUrls":[],',
    '"viewportNeeds":{"$columns":[{"name":"kind","value":"image"},{"name":"url","values":["http://"]},{"name":"areaPx","value":},{"name":"elementEventMs","value":null},{"name":"failed","value":false},{"name":"pending","value":false},{"name":"frameIndex","value":null}]},"opaqueStyleSheets":[],"undeclaredFontFamilies":[],"declaredFontUrls":[]}],',
    '"requests":{"$columns":[{"name":"id","values":["1","2","3","4","5","6","7","8","9","10","11"]},{"name":"hop","value":0},{"name":"type","values":["document","image","image","image","image","image","image"]},{"name":"isMainDocument","values":[true,false,false,false,false,false,false]},{"name":"startEpochMs","steps":[17]},',
    '{"name":"exchange","values":{"$columns":[{"name":"method","value":"GET"},{"name":"statusText","value":"OK"},{"name":"mimeType","values":["text/html","image/jpeg","image/jpeg","image/jpeg","image/jpeg"]},{"name":"serverAddress","value":"198.19.0.1"},{"name":"phases","values":{"$columns":[{"name":"dns","values":[null,null,null,null,null]},',
    '{"name":"connect","values":[[17,null,null,null,null]},{"name":"tls","value":null},{"name":"send","values":[[17],[17]]}]}},{"name":"headers","value":null}]}},{"name":"url","values":["http://"]},{"name":"isRenderBlocking","value":null},{"name":"initiatorUrl","values":[null,"http://"]},{"name":"sentEpochMs","steps":[17]},{"name":"responseEpochMs","steps":[17]},{"name":"endEpochMs","steps":[17]},',
    '{"name":"failure","value":null},{"name":"status","value":200},{"name":"protocol","value":"http/1.1"},{"name":"connectionId","values":["1","1","1"]},{"name":"fromCache","value":false},{"name":"receivedBytes","values":[]},{"name":"decodedBytes","values":[]},{"name":"isConnectionReused","values":[false,true,false,true,true,true,true]},{"name":"receivedBodyBytes","values":[]}]},"documents":[{"url":"http://","startEpochMs":17}]}',
  ].join(''),
};
