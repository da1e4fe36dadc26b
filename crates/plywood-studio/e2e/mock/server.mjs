// Throw-away stand-in for the server.
import http from "node:http"; import fs from "node:fs"; import path from "node:path";
const page = path.resolve(import.meta.dirname, "../../page");
const D = [["F",".##/##./.#."],["I5","#####"],["L5","####/#..."],["N","##../.###"],["P","###/##."],["T5","###/.#./.#."],["U","###/#.#"],["V5","###/#../#.."],["W","##./.##/..#"],["X",".#./###/.#."],["Y","####/.#.."],["Z5","##./.#./.##"],["I4","####"],["L4","###/#.."],["O","##/##"],["T4","###/.#."],["Z4","##./.##"],["I3","###"],["V3","##/#."],["2","##"],["1","#"]];
const norm = c => { const mx=Math.min(...c.map(a=>a[0])), my=Math.min(...c.map(a=>a[1])); return c.map(a=>[a[0]-mx,a[1]-my]).sort((a,b)=>a[1]-b[1]||a[0]-b[0]); };
const PIECES = D.map(([name,d])=>{ let c=[]; d.split("/").forEach((r,y)=>[...r].forEach((ch,x)=>ch=="#"&&c.push([x,y]))); const seen=new Map(); for(let f=0;f<2;f++){for(let r=0;r<4;r++){const n=norm(c);seen.set(JSON.stringify(n),n);c=c.map(([x,y])=>[-y,x]);}c=c.map(([x,y])=>[-x,y]);} return {name,size:c.length,orientations:[...seen.values()]}; });
const opt=(spec)=>{const [n,o]=spec.split(":");return [n,Object.fromEntries((o||"").split(",").filter(Boolean).map(s=>s.split("=")))]};
const G={};
G.kalah={players:["South","North"],start:o=>{const p=+(o.pits||6),s=+(o.stones||4);return {p,rows:[Array(p).fill(s),Array(p).fill(s)],st:[0,0],t:0,over:false}},
 moves:s=>s.over?[]:s.rows[s.t].map((n,i)=>n?String.fromCharCode(65+s.t*s.p+i):null).filter(Boolean),
 play:(s,m)=>{const i=m.charCodeAt(0)-65-s.t*s.p;if(!(s.rows[s.t][i]>0))throw Error(m+" is not a move");const n=structuredClone(s),steps=[];let c=n.rows[s.t][i];steps.push({kind:"lift",seat:s.t,pit:i,count:c});n.rows[s.t][i]=0;let side=s.t,k=i;while(c--){k++;if(k>n.p||(k==n.p&&side!=s.t)){side=1-side;k=0}if(k==n.p){n.st[s.t]++;steps.push({kind:"drop",seat:s.t,pit:"store"})}else{n.rows[side][k]++;steps.push({kind:"drop",seat:side,pit:k})}}
 if(k<n.p&&side==s.t&&n.rows[side][k]==1&&n.rows[1-side][n.p-1-k]>0){const o=n.rows[1-side][n.p-1-k];n.st[s.t]+=o+1;n.rows[side][k]=0;n.rows[1-side][n.p-1-k]=0;steps.push({kind:"capture",seat:s.t,from:[[side,k,1],[1-side,n.p-1-k,o]]})}
 if(!(k==n.p))n.t=1-s.t; for(const a of[0,1])if(n.rows[a].every(x=>!x)&&!n.over){n.over=true;const from=[];n.rows[1-a].forEach((x,j)=>{if(x){from.push([1-a,j,x]);n.st[1-a]+=x;n.rows[1-a][j]=0}});if(from.length)steps.push({kind:"sweep",seat:1-a,from})}
 n.steps=steps;return n},
 turn:s=>s.over?{kind:"over"}:{kind:"player",seat:s.t},
 write:s=>`<${[s.p,...s.st,...s.rows[0],...s.rows[1]].join(",")}> ${"sn"[s.t]}`,
 read:(t,o)=>{const m=/^<([\d,]+)>\s*([sn]?)/.exec(t);if(!m)throw Error(`'${t}' is not a Kalah board`);const a=m[1].split(",").map(Number),p=a[0];return{p,st:[a[1],a[2]],rows:[a.slice(3,3+p),a.slice(3+p)],t:m[2]=="n"?1:0,over:false}},
 board:s=>({kind:"kalah",pits:s.p,rows:s.rows,stores:s.st}),result:s=>s.over?`South ${s.st[0]}, North ${s.st[1]}`:null,scores:s=>s.over?s.st:null};
const pt=(x,y)=>String.fromCharCode(65+x)+(y+1);
G.gomoku={players:["Black","White"],start:o=>({n:+(o.size||15),rule:o.rule||"freestyle",c:{},t:0,last:null,five:null}),
 moves:s=>{if(s.five)return[];const a=[];for(let y=0;y<s.n;y++)for(let x=0;x<s.n;x++)if(!s.c[pt(x,y)])a.push(pt(x,y));return a},
 play:(s,m)=>{m=m.toUpperCase();if(s.c[m]||s.five)throw Error(`there is a stone on ${m} already`);const n=structuredClone(s);const me="xo"[s.t];n.c[m]=me;n.last=m;n.t=1-s.t;const x=m.charCodeAt(0)-65,y=+m.slice(1)-1;for(const[dx,dy]of[[1,0],[0,1],[1,1],[1,-1]]){let l=[m];for(const d of[1,-1])for(let k=1;n.c[pt(x+d*k*dx,y+d*k*dy)]==me;k++)l.push(pt(x+d*k*dx,y+d*k*dy));if(l.length>=5)n.five=l}return n},
 turn:s=>s.five?{kind:"over"}:{kind:"player",seat:s.t},
 write:s=>{let r=[];for(let y=s.n-1;y>=0;y--){let t="",e=0;for(let x=0;x<s.n;x++){const c=s.c[pt(x,y)];if(c){if(e)t+=e;e=0;t+=c}else e++}if(e)t+=e;r.push(t)}return r.join("/")+" "+"bw"[s.t]+(s.last?" "+s.last:"")},
 read:(t,o)=>{const s=G.gomoku.start(o);if(!t.includes("/")){let q=s;for(const m of t.trim().split(/\s+/).filter(Boolean))q=G.gomoku.play(q,m);return q}const[r,w,l]=t.split(/\s+/);r.split("/").forEach((row,i)=>{let x=0;for(const k of row.match(/\d+|[xo]/g)||[])if(/\d/.test(k))x+=+k;else s.c[pt(x++,s.n-1-i)]=k});s.t=w=="w"?1:0;s.last=l||null;return s},
 board:s=>{let cells="";for(let y=s.n-1;y>=0;y--)for(let x=0;x<s.n;x++)cells+=s.c[pt(x,y)]||".";return{kind:"gomoku",size:s.n,cells,rule:s.rule,forbidden:s.rule=="renju"&&s.t==0?[{at:"A1",why:"three and three"}]:[],five:s.five}},
 result:s=>s.five?`${["White","Black"][s.t]} wins with five in a row`:null,scores:s=>s.five?(s.t?[1,-1]:[-1,1]):null};
const mkB=(N,players,starts)=>{const SG=players.map(p=>p[0]);const cell=(x,y)=>String.fromCharCode(97+x)+(N-y);const xy=c=>[c.charCodeAt(0)-97,N-+c.slice(1)];
 const g={players,start:()=>({c:Array(N*N).fill("."),left:players.map(()=>D.map(d=>d[0])),pl:players.map(()=>[]),t:0,out:players.map(()=>false)}),
 gen:(s,t,first)=>{const out=[];const at=(x,y)=>x<0||y<0||x>=N||y>=N?"#":s.c[y*N+x];const me=""+t;const corner=new Set();if(!s.pl[t].length)corner.add(starts[t].join());else for(let y=0;y<N;y++)for(let x=0;x<N;x++)if(at(x,y)=="."&&[[1,1],[1,-1],[-1,1],[-1,-1]].some(([a,b])=>at(x+a,y+b)==me)&&![[1,0],[-1,0],[0,1],[0,-1]].some(([a,b])=>at(x+a,y+b)==me))corner.add(x+","+y);
  for(const p of PIECES)if(s.left[t].includes(p.name))for(const o of p.orientations){const seen=new Set();for(const k of corner){const[cx,cy]=k.split(",").map(Number);for(const[ox,oy]of o){const bx=cx-ox,by=cy-oy;if(seen.has(bx+","+by))continue;seen.add(bx+","+by);if(o.every(([a,b])=>{const x=bx+a,y=by+b;return at(x,y)=="."&&![[1,0],[-1,0],[0,1],[0,-1]].some(([q,w])=>at(x+q,y+w)==me)})){out.push(o.map(([a,b])=>cell(bx+a,by+b)).join(","));if(first)return out}}}}return first==="c"?[...corner].map(k=>cell(...k.split(",").map(Number))):out},
 moves:s=>s.t<0?[]:g.gen(s,s.t),
 play:(s,m)=>{const n=structuredClone(s);const cs=m.split(",").map(xy);const key=JSON.stringify(norm(cs));const p=PIECES.find(p=>p.orientations.some(o=>JSON.stringify(o)==key));if(!p)throw Error(m+" is no piece");for(const[x,y]of cs){if(n.c[y*N+x]!=".")throw Error(cell(x,y)+" is taken");n.c[y*N+x]=""+s.t}n.left[s.t]=n.left[s.t].filter(q=>q!=p.name);n.pl[s.t].push(m);let t=s.t;for(let k=0;k<players.length;k++){t=(t+1)%players.length;if(n.out[t])continue;if(g.gen(n,t,true).length){n.t=t;return n}n.out[t]=true}n.t=-1;return n},
 turn:s=>s.t<0?{kind:"over"}:{kind:"player",seat:s.t},
 write:s=>`turn=${s.t<0?"-":SG[s.t]} `+players.map((_,i)=>SG[i]+"="+(s.pl[i].join("/")||"-")).join(" "),
 read:(t)=>{const s=g.start();if(t=="start")return s;const f=Object.fromEntries(t.split(/\s+/).map(w=>w.split("=")));players.forEach((_,i)=>{if(f[SG[i]]&&f[SG[i]]!="-")for(const m of f[SG[i]].split("/")){s.t=i;Object.assign(s,g.play(s,m))}});s.t=SG.indexOf(f.turn);return s},
 points:s=>s.pl.map(p=>p.join(",").split(",").filter(Boolean).length),
 board:s=>({kind:"blokus",size:N,cells:s.c.join(""),left:s.left,out:s.out,points:g.points(s),corners:s.t<0?[]:(()=>{const c=g.gen(s,s.t,"c");return c})()}),
 result:s=>s.t<0?"over: "+g.points(s).join(" "):null,scores:s=>s.t<0?g.points(s):null};
 // corners: separate small reckoning
 const at=(s,x,y)=>x<0||y<0||x>=N||y>=N?"#":s.c[y*N+x];
 g.board=s=>{const cs=[];if(s.t>=0){if(!s.pl[s.t].length)cs.push(cell(...starts[s.t]));else for(let y=0;y<N;y++)for(let x=0;x<N;x++)if(at(s,x,y)=="."&&[[1,1],[1,-1],[-1,1],[-1,-1]].some(([a,b])=>at(s,x+a,y+b)==""+s.t)&&![[1,0],[-1,0],[0,1],[0,-1]].some(([a,b])=>at(s,x+a,y+b)==""+s.t))cs.push(cell(x,y))}return{kind:"blokus",size:N,cells:s.c.join(""),left:s.left,out:s.out,points:g.points(s),corners:cs}};
 return g};
G.blokus=mkB(20,["Blue","Yellow","Red","Green"],[[0,0],[19,0],[19,19],[0,19]]);
G["blokus-duo"]=mkB(14,["Black","White"],[[4,4],[9,9]]);
const slideRow=r=>{const a=r.filter(Boolean),o=[];let sc=0;while(a.length){if(a.length>1&&a[0]==a[1]){o.push(a[0]+1);sc+=2**(a[0]+1);a.splice(0,2)}else o.push(a.shift())}while(o.length<4)o.push(0);return[o,sc]};
const slide=(c,d)=>{const n=Array(16).fill(0);let sc=0;for(let i=0;i<4;i++){const idx=[0,1,2,3].map(k=>d=="left"?i*4+k:d=="right"?i*4+3-k:d=="up"?k*4+i:(3-k)*4+i);const[o,s]=slideRow(idx.map(j=>c[j]));sc+=s;idx.forEach((j,k)=>n[j]=o[k])}return[n,sc]};
const c48=i=>"abcd"[i%4]+(1+(i>>2));
G["2048"]={players:["Player"],start:()=>({c:Array(16).fill(0),score:0,ch:true}),
 moves:s=>s.ch?s.c.flatMap((v,i)=>v?[]:[c48(i)+"=2",c48(i)+"=4"]):["up","down","left","right"].filter(d=>slide(s.c,d)[0].join()!=s.c.join()),
 play:(s,m)=>{const n=structuredClone(s);if(s.ch){const i="abcd".indexOf(m[0])+4*(m[1]-1);n.c[i]=m.endsWith("4")?2:1;n.ch=n.c.filter(Boolean).length<2;return n}const[c,sc]=slide(s.c,m);if(c.join()==s.c.join())throw Error(m+" moves no tile");n.c=c;n.score+=sc;n.ch=true;return n},
 turn:s=>s.ch?{kind:"chance"}:G["2048"].moves(s).length?{kind:"player",seat:0}:{kind:"over"},
 write:s=>[0,1,2,3].map(r=>s.c.slice(4*r,4*r+4).map(e=>e?2**e:".").join(",")).join("/")+(s.score?" score="+s.score:"")+(s.ch?" chance":""),
 read:t=>{const w=t.split(/\s+/);return{c:w[0].split(/[,\/]/).map(x=>x=="."?0:Math.log2(+x)),score:+(w.find(x=>x.startsWith("score="))||"=0").split("=")[1],ch:w.includes("chance")}},
 board:s=>({kind:"2048",cells:s.c,score:s.score}),result:s=>G["2048"].turn(s).kind=="over"?`${s.score} points`:null,scores:s=>G["2048"].turn(s).kind=="over"?[s.score]:null};
const open=(spec,position,moves=[])=>{const[n,o]=opt(spec);const g=G[n];if(!g)throw Error("no game "+n);let s=position?g.read(position,o):g.start(o);const movers=[];for(const m of moves){const t=g.turn(s);movers.push(t.kind=="player"?t.seat:null);s=g.play(s,m)}return{g,s,movers}};
const view=(spec,position,moves=[])=>{const{g,s}=open(spec,position,moves);return{game:spec,position:g.write(s),turn:g.turn(s),players:g.players,moves:g.moves(s),board:g.board(s),last:moves.at(-1)??null,result:g.result(s),scores:g.scores(s),steps:s.steps&&moves.length?s.steps:undefined}};
const tables=new Map();const tv=t=>{const{movers}=open(t.game,t.start,t.moves);return{...t,movers,view:view(t.game,t.start,t.moves.slice(0,t.at))}};
const spawn=t=>{if(!t.game.startsWith("2048")||t.spawner=="person")return;for(;;){const v=view(t.game,t.start,t.moves);if(v.turn.kind!="chance")break;t.moves.push(v.moves[Math.floor(Math.random()*v.moves.length/2)*2]);t.at=t.moves.length}};
const gamesList=[["kalah","Kalah","sowing stones into pits and banking them",["minimax","alphabeta","maxn"],[{name:"pits",summary:"pits a side",default:"6",accepts:"1 to 8"},{name:"stones",summary:"stones a pit at the start",default:"4",accepts:"0 to 24"},{name:"capture",summary:"capture if the pit opposite is full, or even if empty",default:"full",accepts:"full or empty",values:["full","empty"]}]],["gomoku","Gomoku","five in a row",["minimax","alphabeta"],[{name:"size",summary:"rows and columns",default:"15",accepts:"5 to 20"},{name:"rule",summary:"what wins",default:"freestyle",accepts:"freestyle, exactly-five or renju",values:["freestyle","exactly-five","renju"]}]],["blokus","Blokus","four colours place pieces corner to corner on 20 x 20 cells",["maxn","paranoid"],[]],["blokus-duo","Blokus Duo","Blokus for two colours on 14 x 14 cells",["alphabeta","maxn"],[]],["2048","2048","sliding tiles that merge, against chance",["minimax","expectimax"],[]]].map(([name,title,summary,se,options])=>({name,title,summary,players:G[name].players,options,evaluations:[{name:"default",summary:""}],engines:name=="kalah"?[{name:"perfect",summary:"solves"}]:[],searches:se.map(n=>({name:n,summary:n,strategies:["seq","ybwc:3","budget:2"]})),levels:Array.from({length:9},(_,i)=>({level:i+1,summary:"level "+(i+1)}))}));
const sleep=ms=>new Promise(r=>setTimeout(r,ms));
const fakeProg=(v,depth)=>{const k=v.players.length;const vals=v.players.map((_,i)=>k==2?(i?-1:1)*depth*1.5:10+5*i+depth);const ms=[...v.moves].slice(0,40).map((m,i)=>({move:m,value:30-i*3+depth,certainty:i?"estimate":depth>5?"exact":"estimate",line:[m]}));return{depth,nodes:depth**6*100,nodes_per_second:1234567,time_ms:depth*300,values:vals,certainty:depth>5?"exact":"estimate",words:depth>5?"wins in 5":undefined,line:v.moves.slice(0,3),moves:ms}};
http.createServer(async(req,res)=>{const u=new URL(req.url,"http://x");let body="";for await(const c of req)body+=c;const J=body?JSON.parse(body):{};
 const send=(o,code=200)=>{res.writeHead(code,{"content-type":"application/json"});res.end(JSON.stringify(o))};
 const p=u.pathname.replace("/api/v1","");let gone=false;res.on("close",()=>gone=true);
 const ev=(n,d)=>res.write(`event: ${n}\ndata: ${JSON.stringify(d)}\n\n`);const sse=()=>res.writeHead(200,{"content-type":"text/event-stream"});
 try{
 if(!u.pathname.startsWith("/api")){const f=path.join(page,u.pathname=="/"?"index.html":u.pathname);if(!fs.existsSync(f)){res.writeHead(404);return res.end()}res.writeHead(200,{"content-type":{".js":"text/javascript",".css":"text/css",".html":"text/html",".svg":"image/svg+xml"}[path.extname(f)]||"text/plain","cache-control":"no-cache","content-security-policy":"default-src 'self'; img-src 'self' data:"});return res.end(fs.readFileSync(f))}
 if(p=="/games")return send(gamesList);
 if(p=="/blokus/pieces")return send(PIECES);
 if(p=="/status")return send({version:"mock",cores:2,running:0,queued:0,limits:{}});
 if(p=="/position")return send(view(J.game,J.position,J.moves));
 if(p=="/tables"&&req.method=="GET")return send([...tables.values()].reverse().map(t=>{const{view,...r}=tv(t);return{...r,result:view.result}}));
 if(p=="/tables"){const id=Math.random().toString(36).slice(2,10);const t={id,version:1,game:J.game,seats:J.seats,start:J.position||G[opt(J.game)[0]].write(G[opt(J.game)[0]].start(opt(J.game)[1])),moves:J.moves||[],at:(J.moves||[]).length,created:new Date().toISOString(),changed:new Date().toISOString(),title:J.title||null,spawner:J.spawner||"random"};spawn(t);tables.set(id,t);return send(tv(t))}
 const m=/^\/tables\/(\w+)(?:\/(\w+))?$/.exec(p);
 if(m){const t=tables.get(m[1]);if(!t)return send({error:{code:"not-found",message:"there is no such table"}},404);
  if(!m[2]){if(req.method=="DELETE"){tables.delete(m[1]);return send({})}if(req.method=="PATCH")Object.assign(t,J);return send(tv(t))}
  if(m[2]=="move"){if(J.version!=t.version)return send({error:{code:"stale",message:"old version"}},409);t.moves=t.moves.slice(0,t.at);view(t.game,t.start,[...t.moves,J.move]);t.moves.push(J.move);t.at++;spawn(t);t.version++;return send(tv(t))}
  if(m[2]=="undo"){t.at=Math.max(0,t.at-1);t.version++;return send(tv(t))}
  if(m[2]=="redo"){t.at=Math.min(t.moves.length,t.at+1);t.version++;return send(tv(t))}
  if(m[2]=="goto"){t.at=J.at;t.version++;return send(tv(t))}
  if(m[2]=="record"){res.writeHead(200,{"content-type":"text/plain"});return res.end(t.game+"\n"+t.moves.join(" "))}
  if(m[2]=="engine"){sse();const v=view(t.game,t.start,t.moves.slice(0,t.at));for(let d=1;d<3;d++){await sleep(60);ev("progress",fakeProg(v,d))}t.moves=t.moves.slice(0,t.at);t.moves.push(v.moves[Math.floor(Math.random()*Math.min(v.moves.length,30))]);t.at++;spawn(t);t.version++;ev("moved",tv(t));return res.end()}}
 if(p=="/search"){sse();const v=view(J.game,J.position,J.moves);for(let d=1;d<12&&!gone;d++){ev("progress",fakeProg(v,d));ev("lanes",{workers:[0,1].map(i=>({nodes:d*1000,busy_ms:d*250,stealing_ms:10*d*i,joining_ms:20,idle_ms:30*i*d})),tasks:{offered:d*10,converted:d,fizzled:d*9,cancelled:0,aborted:0}});await sleep(250)}
  if(J.trace)ev("tree",{root:{move:null,nodes:10000,children:v.moves.slice(0,12).map((mm,i)=>({move:mm,nodes:Math.round(4000/(i+1)),value:30-i,cut:i>4,children:[...Array(5)].map((_,j)=>({move:"x"+j,nodes:Math.round(4000/(i+1)/(j+2)),cut:j==4,children:[]}))}))}});ev("done",{});return res.end()}
 if(p=="/review"){sse();for(let i=0;i<=J.moves.length&&!gone;i++){const v=view(J.game,J.start,J.moves.slice(0,i));ev("ply",{at:i,values:v.players.map((_,k)=>Math.sin(i/3+k)*20),best:v.moves[0]??null,line:v.moves.slice(0,3),played_value:1,swing:i%7==3?-14:-1});await sleep(15)}ev("done",{});return res.end()}
 if(p=="/compare"){sse();const v=view(J.game,J.position,J.moves);for(const w of J.ways){await sleep(200);ev("way",{way:w,...fakeProg(v,4),best:v.moves[Math.floor(Math.random()*3)]})}ev("done",{});return res.end()}
 if(p=="/lab/runs")return send([{id:"r1",title:"example",kind:"sweep",measurements:12,finished:true,changed:new Date().toISOString()}]);
 send({error:{code:"not-found",message:"no such route "+p}},404);
 }catch(e){if(!res.headersSent)send({error:{code:"bad-request",message:e.message}},400);else res.end()}
}).listen(+process.argv[2]||7171,()=>console.log("mock"));
