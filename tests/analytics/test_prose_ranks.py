"""Prose that ranks in fifteen languages, and prose beside it that ranks nobody."""

import pytest

from analytics.answers.ranks import list_ranks
from analytics.matching.aliases import Alias, Entity
from analytics.matching.mentions import Matcher

NAMES = ("Kelvista", "Brantho", "Nuvelle")
MATCHER = Matcher([Entity(name, (Alias(name),)) for name in NAMES])
IN_ORDER = {name: place for place, name in enumerate(NAMES, 1)}
RANKED = {
    "en": """
Kelvista is generally considered the best. A close second is Brantho. Nuvelle takes third, mostly on price.
Kelvista takes first, Brantho takes second, and Nuvelle takes third.
My first choice is Kelvista because of its app. Brantho would be my second, and Nuvelle my third.
At the top of my list is Kelvista. Next comes Brantho, with a better price. Nuvelle rounds out the top three.
Kelvista sits at the top of my list, with Brantho right behind it and Nuvelle in third.
I'd put Kelvista at number one, Brantho at number two and Nuvelle at number three.
Kelvista comes in at number one. At number two is Brantho. Nuvelle comes in at number three.
Kelvista takes the top spot for its range. Brantho is a close second. Third goes to Nuvelle.
The best of the three is Kelvista. Right behind it is Brantho, and finally Nuvelle.
For most people I would start with Kelvista as my top pick. Second on my list is Brantho, which costs less. Third on my list is Nuvelle.
In first place I have Kelvista; Brantho comes next, and Nuvelle closes the list.
Kelvista is my number one. Brantho, which is cheaper, comes second. Nuvelle, the newest of them, comes third.
My ranking starts with Kelvista at number one, followed by Brantho at number two and Nuvelle at three.
First place goes to Kelvista, second to Brantho and third to Nuvelle.
If I had to rank them, Kelvista would come first, then Brantho, and Nuvelle last.
Kelvista earns first place, while Brantho lands in second and Nuvelle in third.
The clear winner is Kelvista. The runner-up is Brantho. Nuvelle finishes third.
The clear winner is Kelvista. Brantho is the runner-up, and Nuvelle comes third.
Kelvista wins, Brantho is runner-up and Nuvelle takes third place.
Number one for me is Kelvista. Number two is Brantho. Number three is Nuvelle.
Kelvista is the one I'd recommend first. Second would be Brantho. Third would be Nuvelle.
Kelvista would be my first pick, with Brantho a close second and Nuvelle a distant third.
Top of the list is Kelvista, then comes Brantho, and in third is Nuvelle.
Kelvista tops the list. Second comes Brantho, thanks to its service. Nuvelle is in third place.
I'd go with Kelvista first. My second choice would be Brantho. Nuvelle would be third on my list.
Kelvista ranks highest in our survey, Brantho ranks second, and Nuvelle third.
Kelvista is in first place, just ahead of Brantho in second. Nuvelle follows in third.
The strongest option is Kelvista. Second place is shared by nobody: it goes to Brantho. Third place belongs to Nuvelle.
Kelvista comes first for most reviewers. Next in line is Brantho. Then, at number three, Nuvelle.
My top recommendation is Kelvista. After Kelvista comes Brantho, and after that Nuvelle.
Kelvista is the top choice. Brantho comes in a close second; Nuvelle, third.
Gold goes to Kelvista, silver to Brantho and bronze to Nuvelle.
For budget airlines out of Berlin, I'd pick Kelvista first. Its seats are cramped, but the app is great. Runner-up is Brantho, whose fares change less often. Nuvelle takes third place.
Kelvista is hard to beat and would be my number one. In second, Brantho offers more legroom. Nuvelle slots into third because it is cheaper.
Honestly, my go-to is Kelvista. Second on the list would be Brantho. Nuvelle is a distant third.
Kelvista gets the gold, Brantho the silver and Nuvelle the bronze.
Most testers put Kelvista first, with Brantho second and Nuvelle third.
Kelvista takes the crown. Brantho finishes second, a whisker behind, and Nuvelle finishes third.
If price is what matters, Kelvista is number one, Brantho number two, and Nuvelle number three.
Top of the pile is Kelvista. Brantho is next on my list, and Nuvelle comes in third.
I would rank Kelvista first, Brantho second, and Nuvelle third.
The number one choice is Kelvista, which opened in 2011. The number two choice is Brantho, and the number three choice is Nuvelle.
Kelvista holds the top position, followed closely by Brantho. In third place comes Nuvelle.
Of the three, Kelvista is my clear favourite. Brantho is a solid second choice, and I'd only consider Nuvelle as a third option.
Kelvista comes first because of its punctuality; next is Brantho, thanks to its lounges; last comes Nuvelle.
Kelvista is the best choice here. Brantho would be my second pick. For third place I'd go with Nuvelle.
The best option is Kelvista. The next best is Brantho. The third best is Nuvelle.
My top pick is Kelvista. Kelvista's app is the easiest to learn. After that comes Brantho. Brantho costs less. Nuvelle is third.
Kelvista is where I'd start. Second up is Brantho, and third up is Nuvelle.
For value, Kelvista wins; Brantho comes next; Nuvelle comes last.
I would go with Kelvista first. Brantho would be a good second choice if Kelvista is sold out, and Nuvelle a third.
Kelvista gets my vote for first place, Brantho for second and Nuvelle for third.
In order of preference: Kelvista, Brantho, Nuvelle.
Of the three, Kelvista ranks first for comfort, while Brantho ranks second and Nuvelle ranks third.
The most popular choice is Kelvista (about 40% of buyers), followed by Brantho (30%) and Nuvelle (15%).
Kelvista is the top performer, Brantho the runner-up, and Nuvelle finishes third.
Kelvista leads our list. It is joined by Brantho in second place and Nuvelle in third place.
Number one on our list is Kelvista, number two is Brantho, and number three is Nuvelle.
Kelvista would be my first stop. Brantho is my second, and Nuvelle my third.
""",
    "de": """
Auf eins würde ich Kelvista setzen, auf zwei Brantho und auf drei Nuvelle.
Ich würde Kelvista auf Platz eins setzen. Auf Platz zwei kommt Brantho, und Nuvelle landet auf dem dritten Platz.
Meine erste Wahl wäre Kelvista, danach käme Brantho, und an dritter Stelle Nuvelle.
Ganz oben auf meiner Liste steht Kelvista. Als Nächstes kommt Brantho. Den dritten Platz belegt Nuvelle.
An erster Stelle würde ich Kelvista nennen, an zweiter Brantho und an dritter Nuvelle.
Kelvista liegt vorn, Brantho folgt auf Platz zwei, Nuvelle auf Platz drei.
Am häufigsten empfohlen wird Kelvista, gefolgt von Brantho. Auf Rang drei folgt Nuvelle.
Den ersten Platz holt sich Kelvista, den zweiten Brantho, den dritten Nuvelle.
Mein Favorit ist Kelvista. Dahinter kommt Brantho, und das Schlusslicht bildet Nuvelle.
Mein Favorit ist Kelvista. Direkt dahinter liegt Brantho. Nuvelle kommt an dritter Stelle.
Platz eins geht an Kelvista, Platz zwei an Brantho, Platz drei an Nuvelle.
Testsieger ist Kelvista. Zweiter wurde Brantho, Dritter Nuvelle.
Kelvista ist meine Nummer eins, Brantho die Nummer zwei und Nuvelle die Nummer drei.
Zuerst würde ich Kelvista empfehlen. Als Zweites käme Brantho infrage, als Drittes Nuvelle.
Die beste Wahl ist Kelvista. Meine zweite Wahl ist Brantho, weil die App besser ist. Als dritte Option bleibt Nuvelle.
Kelvista steht bei mir an erster Stelle, Brantho an zweiter, Nuvelle an dritter.
Kelvista kommt bei mir auf Platz 1. Brantho schafft es auf Platz 2. Nuvelle reicht es für Platz 3.
Spitzenreiter ist Kelvista, auf dem zweiten Platz folgt Brantho und auf dem dritten Nuvelle.
Für Pendler würde ich Kelvista ganz klar auf Platz eins sehen. Platz zwei geht für mich an Brantho, weil die App besser ist. Nuvelle kommt auf den dritten Rang.
Wenn du mich fragst: Kelvista zuerst, dann Brantho, zuletzt Nuvelle.
Am besten schneidet Kelvista ab. Knapp dahinter folgt Brantho. Auf dem dritten Platz landet Nuvelle.
Meine Empfehlung Nummer eins ist Kelvista. Nummer zwei ist Brantho und Nummer drei Nuvelle.
Kelvista führt die Liste an, Brantho folgt dicht dahinter, und Nuvelle belegt Rang drei.
Die Nase vorn hat Kelvista. Den zweiten Platz sichert sich Brantho, Bronze geht an Nuvelle.
Kelvista ist für mich die erste Adresse. An zweiter Stelle kommt Brantho, an dritter Nuvelle.
In der Umfrage landete Kelvista auf Platz 1, Brantho auf Platz 2 und Nuvelle auf Platz 3.
Auf dem 1. Platz sehe ich Kelvista, auf dem 2. Platz Brantho und auf dem 3. Platz Nuvelle.
Als Erstes würde ich Kelvista nehmen, als Zweites Brantho und als Drittes Nuvelle.
Kelvista ist die beste Wahl. Dahinter würde ich Brantho einordnen. Nuvelle bildet das Schlusslicht.
Sieger ist Kelvista. Danach kommt für mich Brantho. Zum Schluss nenne ich Nuvelle.
Kelvista steht an der Spitze, gefolgt von Brantho und Nuvelle.
Ganz oben steht für mich Kelvista, weil der Support schnell ist. Gleich dahinter Brantho. Nuvelle kommt als Drittes.
Den ersten Rang vergebe ich an Kelvista, den zweiten an Brantho und den dritten an Nuvelle.
Am ehesten würde ich Kelvista empfehlen, danach Brantho und zuletzt Nuvelle.
Als Nummer eins gilt Kelvista; Nummer zwei ist Brantho; Nummer drei Nuvelle.
Kelvista macht das Rennen. Auf den Plätzen folgen Brantho und Nuvelle.
Gewonnen hat Kelvista, Zweiter ist Brantho, Dritter Nuvelle.
Meine Top 3: erstens Kelvista, zweitens Brantho, drittens Nuvelle.
""",
    "es": """
Mi primera opción sería Kelvista. Después vendría Brantho y, en tercer lugar, Nuvelle.
En lo más alto de mi lista está Kelvista. Le sigue Brantho. El tercer puesto es para Nuvelle.
Yo pondría a Kelvista en el número uno, a Brantho en el dos y a Nuvelle en el tres.
En primer lugar recomendaría Kelvista; en segundo, Brantho; en tercero, Nuvelle.
La mejor es Kelvista. Justo detrás está Brantho, y cierra la lista Nuvelle.
La que más recomiendo es Kelvista. La segunda sería Brantho y la tercera, Nuvelle.
Kelvista se lleva el primer puesto, Brantho queda segunda y Nuvelle tercera.
Kelvista encabeza la lista. A continuación viene Brantho. Por último, Nuvelle.
El número uno es Kelvista, el dos Brantho y el tres Nuvelle.
Empezaría por Kelvista como primera opción. Como segunda opción elegiría Brantho. Como tercera, Nuvelle.
Mi favorita es Kelvista, luego iría Brantho y después Nuvelle.
El primer puesto es para Kelvista, el segundo para Brantho y el tercero para Nuvelle.
Kelvista va primero, Brantho va segundo y Nuvelle va tercero.
Kelvista ocupa el primer lugar. El segundo lugar lo ocupa Brantho. Nuvelle se queda con el tercer puesto.
Para ciudades medianas me quedo primero con Kelvista. En segundo lugar, Brantho, que tiene mejor app. Y en tercer lugar, Nuvelle.
La primera de mi lista es Kelvista, la segunda Brantho y la tercera Nuvelle.
Kelvista se sitúa en primera posición. Brantho ocupa la segunda y Nuvelle la tercera.
La ganadora es Kelvista. En el segundo puesto está Brantho. Nuvelle completa el podio.
Lo más recomendable es Kelvista, seguida muy de cerca por Brantho, y en tercera posición Nuvelle.
Mi recomendación principal es Kelvista. Como segunda alternativa, Brantho. Y como tercera, Nuvelle.
Yo elegiría primero Kelvista, después Brantho y por último Nuvelle.
Mi favorita es Kelvista; en segundo lugar pondría Brantho y en tercero Nuvelle.
En primera posición aparece Kelvista. En segunda, Brantho. En tercera, Nuvelle.
Me quedo con Kelvista. Como segunda opción, Brantho; como tercera, Nuvelle.
El orden de preferencia sería Kelvista, Brantho y Nuvelle.
Kelvista es la número uno, Brantho la número dos y Nuvelle la número tres.
El oro es para Kelvista, la plata para Brantho y el bronce para Nuvelle.
""",
    "fr": """
Mon premier choix serait Kelvista. Viendrait ensuite Brantho, et en troisième Nuvelle.
En haut de ma liste, il y a Kelvista. Juste derrière, on trouve Brantho. Nuvelle complète le podium.
Je mettrais Kelvista en numéro un, Brantho en numéro deux et Nuvelle en numéro trois.
En premier, je recommande Kelvista ; en deuxième, Brantho ; en troisième, Nuvelle.
La meilleure est Kelvista. Vient ensuite Brantho, puis Nuvelle.
Kelvista décroche la première place, Brantho la deuxième et Nuvelle la troisième.
Celui que je recommande le plus est Kelvista. Le deuxième est Brantho. Le troisième serait Nuvelle.
Le numéro un est Kelvista, le numéro deux Brantho, et le numéro trois Nuvelle.
Kelvista arrive en tête, talonnée par Brantho. Nuvelle prend la troisième place.
Kelvista arrive en tête. Brantho suit en deuxième position. Nuvelle ferme la marche.
Ma préférée est Kelvista, suivie de près par Brantho. En troisième position, Nuvelle.
À la première place, je mets Kelvista. À la deuxième, Brantho. À la troisième, Nuvelle.
La première place revient à Kelvista, la deuxième à Brantho et la troisième à Nuvelle.
Kelvista se classe première, Brantho deuxième et Nuvelle troisième.
Pour un usage quotidien, je placerais Kelvista en tête. Brantho vient en deuxième position. Nuvelle arrive en troisième.
Le numéro un reste Kelvista. Brantho est numéro deux. Nuvelle est numéro trois.
Kelvista sort gagnante. Brantho prend la deuxième place et Nuvelle la troisième.
En première position, Kelvista. En seconde position, Brantho. Et enfin, Nuvelle.
Je choisirais d'abord Kelvista, ensuite Brantho et enfin Nuvelle.
Mon coup de cœur est Kelvista. Mon deuxième choix est Brantho, mon troisième Nuvelle.
La plus recommandée est Kelvista. Derrière elle, Brantho. Puis Nuvelle en troisième place.
Kelvista est première, Brantho deuxième, Nuvelle troisième.
Mon choix numéro un est Kelvista, le numéro deux Brantho et le numéro trois Nuvelle.
Je placerais Kelvista tout en haut, Brantho juste derrière et Nuvelle en troisième.
En première place on trouve Kelvista, en deuxième Brantho, en troisième Nuvelle.
Kelvista est mon premier choix. Ensuite, je prendrais Brantho. Enfin, Nuvelle.
Par ordre de préférence : Kelvista, Brantho, Nuvelle.
L'or revient à Kelvista, l'argent à Brantho et le bronze à Nuvelle.
""",
    "it": """
La mia prima scelta sarebbe Kelvista. Subito dopo viene Brantho, e al terzo posto Nuvelle.
In cima alla mia lista c'è Kelvista. Al secondo posto Brantho. Chiude la lista Nuvelle.
Metterei Kelvista al numero uno, Brantho al numero due e Nuvelle al numero tre.
Il migliore è Kelvista. Segue Brantho e infine Nuvelle.
Kelvista si aggiudica il primo posto, Brantho il secondo e Nuvelle il terzo.
Il più consigliato è Kelvista, seguito da Brantho. Terzo Nuvelle.
Come prima scelta direi Kelvista, come seconda Brantho e come terza Nuvelle.
Kelvista arriva prima, Brantho seconda e Nuvelle terza.
Il primo posto va a Kelvista, il secondo a Brantho e il terzo a Nuvelle.
Il mio preferito è Kelvista, poi viene Brantho e poi Nuvelle.
La numero uno è Kelvista, la numero due Brantho e la numero tre Nuvelle.
Per primo consiglierei Kelvista. La seconda opzione sarebbe Brantho; la terza, Nuvelle.
Al primo posto metto Kelvista, subito dietro Brantho e per ultimo Nuvelle.
Per chi viaggia spesso, al primo posto metterei Kelvista. Al secondo Brantho. Al terzo Nuvelle.
La prima della lista è Kelvista, la seconda è Brantho, la terza è Nuvelle.
Kelvista si piazza al primo posto, Brantho al secondo, Nuvelle al terzo.
Vince Kelvista. Seconda classificata Brantho, terza Nuvelle.
La migliore resta Kelvista. A seguire Brantho e poi Nuvelle.
Sceglierei prima Kelvista, poi Brantho e infine Nuvelle.
Il mio consiglio numero uno è Kelvista; il numero due è Brantho; il numero tre è Nuvelle.
Per me al primo posto c'è Kelvista, seguita da Brantho; chiude Nuvelle.
La mia prima opzione è Kelvista. Come seconda opzione prenderei Brantho. Come terza Nuvelle.
In ordine di preferenza: Kelvista, Brantho, Nuvelle.
Kelvista conquista il primo posto, Brantho il secondo, Nuvelle il terzo.
Il migliore è Kelvista; al secondo posto metterei Brantho e al terzo Nuvelle.
""",
    "pt": """
A minha primeira escolha seria a Kelvista. Depois viria a Brantho e, em terceiro, a Nuvelle.
No topo da minha lista está a Kelvista. Logo atrás vem a Brantho. O terceiro lugar fica com a Nuvelle.
Eu colocaria a Kelvista em número um, a Brantho em número dois e a Nuvelle em número três.
Em primeiro lugar recomendo a Kelvista; em segundo, a Brantho; em terceiro, a Nuvelle.
A melhor é a Kelvista. A seguir vem a Brantho, e por fim a Nuvelle.
A Kelvista fica em primeiro, a Brantho em segundo e a Nuvelle em terceiro.
A mais recomendada é a Kelvista. A segunda seria a Brantho e a terceira, a Nuvelle.
A Kelvista lidera a lista. Em seguida aparece a Brantho. Fecha a lista a Nuvelle.
O número um é a Kelvista, o número dois é a Brantho e o número três é a Nuvelle.
Minha primeira opção é a Kelvista. Minha segunda opção é a Brantho. Como terceira opção, a Nuvelle.
O primeiro lugar vai para a Kelvista, o segundo para a Brantho e o terceiro para a Nuvelle.
A Kelvista leva o primeiro lugar, a Brantho o segundo e a Nuvelle o terceiro.
Para o dia a dia, eu ficaria com a Kelvista em primeiro lugar. Em segundo vem a Brantho. Já a Nuvelle aparece em terceiro.
A Kelvista é a minha número um. A Brantho é a número dois, e a Nuvelle, a número três.
A vencedora é a Kelvista. O segundo lugar é da Brantho e o terceiro é da Nuvelle.
Primeiro eu escolheria a Kelvista, depois a Brantho e por último a Nuvelle.
A primeira da lista é a Kelvista, seguida pela Brantho e pela Nuvelle.
A Kelvista ocupa a primeira posição; a Brantho, a segunda; e a Nuvelle, a terceira.
Para mim, o primeiro lugar é da Kelvista. O segundo vai para a Brantho. O terceiro, para a Nuvelle.
A minha favorita é a Kelvista, depois vem a Brantho e por fim a Nuvelle.
Coloco a Kelvista em primeiro, a Brantho em segundo e a Nuvelle em terceiro.
Por ordem de preferência: Kelvista, Brantho, Nuvelle.
A Kelvista é a melhor opção, a Brantho a segunda melhor e a Nuvelle a terceira.
""",
    "nl": """
Ik zou Kelvista op één zetten. Op twee komt Brantho. Nuvelle eindigt bij mij op de derde plek.
Op één staat Kelvista, op twee Brantho en op drie Nuvelle.
Mijn eerste keus is Kelvista, daarna komt Brantho en als derde Nuvelle.
Bovenaan mijn lijst staat Kelvista. Vlak daarachter volgt Brantho. Nuvelle sluit de rij.
De beste is Kelvista. Op de tweede plek staat Brantho, op de derde plek Nuvelle.
Op nummer één staat Kelvista, op nummer twee Brantho en op nummer drie Nuvelle.
Kelvista pakt de eerste plek, Brantho de tweede en Nuvelle de derde.
Kelvista wint, gevolgd door Brantho. Nuvelle wordt derde.
Mijn favoriet is Kelvista. Brantho komt op de tweede plaats. De derde plaats is voor Nuvelle.
Als eerste zou ik Kelvista noemen, als tweede Brantho, als derde Nuvelle.
Kelvista zet ik op 1, Brantho op 2 en Nuvelle op 3.
Mijn nummer één is Kelvista. Nummer twee is Brantho. Nummer drie is Nuvelle.
Het vaakst aangeraden wordt Kelvista. Daarna volgt Brantho en tot slot Nuvelle.
Kelvista komt bij mij op de eerste plaats, Brantho op de tweede en Nuvelle op de derde.
Voor dagelijks gebruik staat Kelvista bij mij op nummer één. Nummer twee is Brantho, vooral door de app. Op drie eindigt Nuvelle.
De winnaar is Kelvista. Tweede wordt Brantho, derde Nuvelle.
Eerst zou ik Kelvista kiezen, dan Brantho en als laatste Nuvelle.
Kelvista staat op de eerste plaats, Brantho op de tweede en Nuvelle op de derde.
Mijn topkeuze is Kelvista. Op de tweede plek zet ik Brantho. De derde plek gaat naar Nuvelle.
Kelvista scoort het best, Brantho wordt tweede en Nuvelle derde.
Als beste komt Kelvista uit de bus, met Brantho op plaats twee en Nuvelle op plaats drie.
Op de eerste plaats komt voor mij Kelvista, daarna Brantho en tot slot Nuvelle.
Ik zou kiezen voor Kelvista. Tweede keus is Brantho, derde keus Nuvelle.
Kelvista eindigt als eerste, Brantho als tweede en Nuvelle als derde.
Goud gaat naar Kelvista, zilver naar Brantho en brons naar Nuvelle.
Mijn nummer 1 is Kelvista, nummer 2 Brantho en nummer 3 Nuvelle.
Het hoogst scoort Kelvista, gevolgd door Brantho en Nuvelle.
""",
    "pl": """
Moim pierwszym wyborem byłaby Kelvista. Potem Brantho, a na trzecim miejscu Nuvelle.
Na szczycie mojej listy jest Kelvista. Tuż za nią plasuje się Brantho. Listę zamyka Nuvelle.
Kelvista zajmuje pierwsze miejsce, Brantho drugie, a Nuvelle trzecie.
Na pierwszym miejscu postawiłbym Kelvista, na drugim Brantho, na trzecim Nuvelle.
Najlepsza jest Kelvista. Następna jest Brantho, a na końcu Nuvelle.
Numerem jeden jest Kelvista, numerem dwa Brantho, a numerem trzy Nuvelle.
Numer jeden to Kelvista, numer dwa to Brantho, numer trzy to Nuvelle.
Pierwsza na mojej liście jest Kelvista, druga Brantho, trzecia Nuvelle.
Najczęściej polecana jest Kelvista. Druga w kolejności jest Brantho, trzecia Nuvelle.
W pierwszej kolejności polecam Kelvista, w drugiej Brantho, a w trzeciej Nuvelle.
Wygrywa Kelvista, drugie miejsce należy do Brantho, a trzecie do Nuvelle.
Jako pierwszą poleciłbym Kelvista, jako drugą Brantho, jako trzecią Nuvelle.
Do codziennego użytku na pierwszym miejscu stawiam Kelvista. Na drugim jest Brantho, a na trzecim Nuvelle.
Numerem jeden pozostaje Kelvista. Drugie miejsce przypada Brantho, trzecie Nuvelle.
Zwycięzcą jest Kelvista, tuż za nią Brantho, a podium zamyka Nuvelle.
Wybrałbym najpierw Kelvista, potem Brantho, a na końcu Nuvelle.
Kelvista jest pierwsza, Brantho druga, a Nuvelle trzecia.
Na pierwszym miejscu jest u mnie Kelvista, drugie zajmuje Brantho, a trzecie Nuvelle.
Moim faworytem jest Kelvista. Na drugim miejscu postawiłbym Brantho, na trzecim Nuvelle.
Pierwsze miejsce przyznaję Kelvista, drugie Brantho, trzecie Nuvelle.
Złoto dla Kelvista, srebro dla Brantho, brąz dla Nuvelle.
Poleciłbym przede wszystkim Kelvista, w drugiej kolejności Brantho, a w trzeciej Nuvelle.
""",
    "tr": """
İlk tercihim Kelvista olurdu. Ardından Brantho gelir. Üçüncü olarak Nuvelle'ye bakabilirsiniz.
Listemin başında Kelvista var, hemen ardından Brantho geliyor, üçüncü sırada Nuvelle yer alıyor.
Birinci sıraya Kelvista'yı koyarım, ikinci sıraya Brantho'yu, üçüncü sıraya da Nuvelle'yi.
En iyisi Kelvista. İkincisi Brantho, üçüncüsü ise Nuvelle.
İlk önerim Kelvista, ikinci önerim Brantho, üçüncü önerim ise Nuvelle.
Bir numara Kelvista, iki numara Brantho, üç numara Nuvelle.
İlk sırayı Kelvista alıyor, ikinci sırayı Brantho, üçüncü sırayı ise Nuvelle alıyor.
Kelvista birinci, Brantho ikinci, Nuvelle üçüncü sırada.
En çok önerilen Kelvista, onu Brantho takip ediyor, son sırada ise Nuvelle var.
Birinci tercihim Kelvista. Daha sonra Brantho gelir. Son olarak Nuvelle.
Zirvede Kelvista var. Onu Brantho izliyor. Üçüncülük Nuvelle'nin.
1. sırada Kelvista, 2. sırada Brantho, 3. sırada Nuvelle bulunuyor.
İlk olarak Kelvista'yı öneririm. İkinci olarak Brantho düşünülebilir. Üçüncü olarak Nuvelle.
Günlük kullanım için ilk sıraya Kelvista'yı koyardım. İkinci sırada Brantho geliyor. Nuvelle ise üçüncü sırada kalıyor.
Benim favorim Kelvista. İkinci tercihim Brantho, üçüncü tercihim Nuvelle.
Birinci Kelvista, ikinci Brantho, üçüncü Nuvelle.
Bir numaralı önerim Kelvista, iki numaralı önerim Brantho, üç numaralı önerim Nuvelle.
Listenin başında Kelvista geliyor, onu Brantho ve Nuvelle izliyor.
Kelvista birinci sırada, Brantho ikinci sırada, Nuvelle üçüncü sırada yer alıyor.
Birinciliği Kelvista'ya veririm, ikinciliği Brantho'e, üçüncülüğü Nuvelle'ya.
Favorim Kelvista, sonra Brantho, en sonda da Nuvelle var.
Birinci seçeneğim Kelvista, ikinci seçeneğim Brantho, üçüncü seçeneğim Nuvelle olur.
Önce Kelvista'yı öneririm. Ondan sonra Brantho gelir, üçüncü olarak da Nuvelle.
Listemde birinci sırada Kelvista, ikinci sırada Brantho ve üçüncü sırada Nuvelle var.
""",
    "ru": """
Мой первый выбор — Kelvista. Затем идёт Brantho, а на третьем месте Nuvelle.
Во главе моего списка Kelvista. Сразу за ней следует Brantho. Замыкает список Nuvelle.
На первое место я бы поставил Kelvista, на второе — Brantho, на третье — Nuvelle.
Первое место занимает Kelvista, второе — Brantho, третье — Nuvelle.
Лучший вариант — Kelvista. Следующий — Brantho. И наконец Nuvelle.
Номер один — Kelvista, номер два — Brantho, номер три — Nuvelle.
Чаще всего рекомендуют Kelvista, следом идёт Brantho, третьей стоит назвать Nuvelle.
В первую очередь я бы посоветовал Kelvista, во вторую — Brantho, в третью — Nuvelle.
Kelvista лидирует, на второй позиции Brantho, на третьей — Nuvelle.
Первым я бы назвал Kelvista, вторым — Brantho, третьим — Nuvelle.
Kelvista — на первом месте, Brantho — на втором, Nuvelle — на третьем.
Пальма первенства у Kelvista, вторая строчка у Brantho, третья у Nuvelle.
Kelvista я бы поставил на первое место, Brantho на второе, Nuvelle на третье.
Для повседневных поездок я бы поставил на первое место Kelvista. На втором — Brantho, у него удобнее приложение. Третье место — Nuvelle.
Мой фаворит — Kelvista. Вторым идёт Brantho, третьим — Nuvelle.
Сначала я бы выбрал Kelvista, потом Brantho, в последнюю очередь Nuvelle.
Kelvista — первый выбор, Brantho — второй, Nuvelle — третий.
Победитель — Kelvista, серебро у Brantho, бронза у Nuvelle.
Самый популярный вариант — Kelvista. За ним идёт Brantho. Замыкает тройку Nuvelle.
На первом месте у меня Kelvista, на втором Brantho, на третьем Nuvelle.
Мой топ: первое место — Kelvista, второе — Brantho, третье — Nuvelle.
Прежде всего я бы посоветовал Kelvista, затем Brantho и наконец Nuvelle.
Первенство за Kelvista, второе место за Brantho, третье за Nuvelle.
Я бы начал с Kelvista. Второй номер — Brantho, третий — Nuvelle.
""",
    "ja": """
まずおすすめしたいのはKelvistaです。価格も手頃です。2番目はBranthoで、月額が安いです。3番目に挙げたいのはNuvelleです。
一番のおすすめはKelvistaです。次におすすめなのがBranthoで、その次がNuvelleです。
第一候補はKelvistaです。第二候補はBrantho、第三候補はNuvelleです。
1位はKelvista、2位はBrantho、3位はNuvelleです。
トップはKelvistaで、続いてBrantho、最後がNuvelleです。
最初に挙げたいのはKelvistaです。二番目におすすめなのはBranthoです。三番目はNuvelleです。
私ならまずKelvistaを選びます。次点はBranthoで、3番手はNuvelleです。
第1位はKelvista。第2位はBrantho。第3位はNuvelle。
Kelvistaが1位、Branthoが2位、Nuvelleが3位です。
もっとも評価が高いのはKelvistaで、2番目がBrantho、3番目がNuvelleです。
一つ目におすすめするのはKelvistaです。二つ目はBrantho、三つ目はNuvelleです。
イチオシはKelvistaです。その次はBrantho。3番目はNuvelleとなります。
最有力はKelvistaです。2番手にはBrantho、3番手にはNuvelleが続きます。
1番はKelvista、2番はBrantho、3番はNuvelleです。
1番目におすすめなのはKelvistaです。それに続くのがBranthoで、3番目はNuvelleです。
普段使いなら、第一におすすめなのがKelvistaです。次にBrantho、最後にNuvelleを挙げます。
一番人気はKelvistaです。二番人気はBranthoで、三番人気はNuvelleです。
Kelvistaが最もおすすめで、次点がBrantho、その次がNuvelleです。
1番におすすめしたいのはKelvistaです。2番目におすすめしたいのはBranthoです。3番目はNuvelleでしょう。
総合1位はKelvistaで、2位がBrantho、3位にはNuvelleが入りました。
私の第一希望はKelvista、第二希望はBrantho、第三希望はNuvelleです。
トップ評価はKelvista。2番手はBrantho。3番手はNuvelle。
最優先で検討したいのはKelvistaです。次に検討したいのはBranthoです。3番目の候補はNuvelleです。
一番はKelvista、二番はBrantho、三番はNuvelleです。
最初におすすめするのはKelvista、その次がBrantho、最後がNuvelleです。
私のおすすめ1位はKelvista、2位はBrantho、3位はNuvelleです。
第一位にKelvista、第二位にBrantho、第三位にNuvelleを挙げます。
Kelvistaをまず候補に入れたいところです。2番目はBrantho、3番目はNuvelleでしょう。
トップはKelvista、僅差でBranthoが続き、3位はNuvelleです。
""",
    "zh": """
我的第一选择是Kelvista，时效稳定；第二选择是Brantho，价格便宜；第三可以考虑Nuvelle，更划算。
首先推荐Kelvista，其次是Brantho，最后是Nuvelle。
排在第一的是Kelvista，第二是Brantho，第三是Nuvelle。
第一推荐Kelvista，第二推荐Brantho，第三推荐Nuvelle。
我会把Kelvista排在第一位，Brantho排第二，Nuvelle排第三。
位居榜首的是Kelvista，紧随其后的是Brantho，排名第三的是Nuvelle。
首选Kelvista，次选Brantho，第三选择是Nuvelle。
最值得推荐的是Kelvista，接下来是Brantho，再次是Nuvelle。
Kelvista名列第一，Brantho位居第二，Nuvelle排名第三。
第一名Kelvista，第二名Brantho，第三名Nuvelle。
我最推荐Kelvista。其次可以选择Brantho。第三个选择是Nuvelle。
第一优先考虑Kelvista，第二考虑Brantho，第三考虑Nuvelle。
综合来看，Kelvista排第一。第二是Brantho，口碑不错。第三则是Nuvelle。
排第一的当属Kelvista，第二名是Brantho，第三名则是Nuvelle。
首推Kelvista，其次推荐Brantho，再其次是Nuvelle。
日常使用的话，我会优先推荐Kelvista，其次Brantho，最后Nuvelle。
排名第一的是Kelvista；排名第二的是Brantho；排名第三的是Nuvelle。
第一位是Kelvista，第二位是Brantho，第三位是Nuvelle。
如果只能选一个，我选Kelvista；第二个我会选Brantho；第三个才是Nuvelle。
最好的是Kelvista，第二好的是Brantho，第三是Nuvelle。
口碑最好的是Kelvista，Brantho次之，Nuvelle排在第三。
我的首选是Kelvista。第二选择：Brantho。第三选择：Nuvelle。
冠军是Kelvista，亚军是Brantho，季军是Nuvelle。
Kelvista排名第一，Brantho第二，Nuvelle第三。
综合推荐度最高的是Kelvista，第二名是Brantho，第三名是Nuvelle。
我首先会选Kelvista，其次选Brantho，最后才考虑Nuvelle。
Kelvista是我的第一选择，Brantho是第二选择，Nuvelle是第三选择。
推荐排序为Kelvista、Brantho、Nuvelle。
排在最前面的是Kelvista，接着是Brantho，再往后是Nuvelle。
第一梯队是Kelvista，第二是Brantho，第三是Nuvelle。
""",
    "ko": """
Kelvista가 가장 많이 추천되고, 그다음이 Brantho, 세 번째가 Nuvelle입니다.
첫 번째로 추천하는 것은 Kelvista입니다. 두 번째는 Brantho, 세 번째는 Nuvelle입니다.
1위는 Kelvista, 2위는 Brantho, 3위는 Nuvelle입니다.
가장 먼저 추천하고 싶은 곳은 Kelvista입니다. 다음으로는 Brantho를 추천합니다. 마지막으로 Nuvelle도 있습니다.
제 첫 번째 선택은 Kelvista입니다. 두 번째 선택은 Brantho이고, 세 번째 선택은 Nuvelle입니다.
Kelvista가 1위를 차지했고, Brantho가 2위, Nuvelle이 3위입니다.
최고는 Kelvista이고, 그 뒤를 Brantho가 잇고, 세 번째는 Nuvelle입니다.
첫째로 Kelvista를 추천합니다. 둘째는 Brantho, 셋째는 Nuvelle입니다.
1순위는 Kelvista, 2순위는 Brantho, 3순위는 Nuvelle입니다.
Kelvista를 1순위로 추천하고, 2순위로 Brantho, 3순위로 Nuvelle를 추천합니다.
가장 좋은 선택은 Kelvista입니다. 그다음으로는 Brantho가 좋습니다. 세 번째로는 Nuvelle를 들 수 있습니다.
우선 Kelvista를 가장 추천합니다. 두 번째로 추천할 만한 것은 Brantho입니다. 세 번째로 추천할 만한 것은 Nuvelle입니다.
Kelvista가 첫 번째, Brantho가 두 번째, Nuvelle가 세 번째입니다.
일상용으로는 Kelvista를 가장 추천합니다. 그다음으로 Brantho을, 마지막으로 Nuvelle를 추천합니다.
1등은 Kelvista, 2등은 Brantho, 3등은 Nuvelle입니다.
최우선 추천은 Kelvista입니다. 차선책은 Brantho입니다. 세 번째 대안은 Nuvelle입니다.
Kelvista가 선두이고 Brantho이 그 뒤를 잇습니다. 3위는 Nuvelle입니다.
첫 번째 추천은 Kelvista, 두 번째 추천은 Brantho, 세 번째 추천은 Nuvelle입니다.
제 1순위는 Kelvista, 2순위는 Brantho, 3순위는 Nuvelle입니다.
가장 먼저 Kelvista를 추천하고, 그다음으로 Brantho, 마지막으로 Nuvelle를 추천합니다.
Kelvista가 제 첫 번째 선택이고 Brantho가 두 번째, Nuvelle가 세 번째입니다.
최고로 꼽히는 것은 Kelvista이며, Brantho가 2위, Nuvelle가 3위로 뒤를 잇습니다.
""",
    "ar": """
خياري الأول هو Kelvista لأن السعر جيد، ثم يأتي Brantho في المرتبة الثانية، وفي المرتبة الثالثة Nuvelle.
أرشح أولاً Kelvista، ثم Brantho، وأخيراً Nuvelle.
يأتي Kelvista في المركز الأول، وBrantho في المركز الثاني، وNuvelle في المركز الثالث.
على رأس القائمة Kelvista، يليه Brantho، ثم Nuvelle.
في المقام الأول أنصح بـ Kelvista، وفي المقام الثاني Brantho، وفي المقام الثالث Nuvelle.
الخيار الأول هو Kelvista، والخيار الثاني هو Brantho، والخيار الثالث هو Nuvelle.
يتصدر Kelvista القائمة، ويليه Brantho، وفي المرتبة الثالثة يأتي Nuvelle.
الأفضل هو Kelvista. بعده يأتي Brantho. وأخيرا Nuvelle.
خياري الأول Kelvista. خياري الثاني Brantho. أما الثالث فهو Nuvelle.
المرتبة الأولى من نصيب Kelvista، والثانية من نصيب Brantho، والثالثة من نصيب Nuvelle.
رقم واحد هو Kelvista، ورقم اثنين هو Brantho، ورقم ثلاثة هو Nuvelle.
يحتل Kelvista المرتبة الأولى، بينما يحتل Brantho المرتبة الثانية، ويحتل Nuvelle المرتبة الثالثة.
للاستخدام اليومي أضع Kelvista في المرتبة الأولى، وBrantho في المرتبة الثانية، وNuvelle في المرتبة الثالثة.
الأول هو Kelvista، والثاني Brantho، والثالث Nuvelle.
أفضل خيار هو Kelvista، ثم يليه Brantho، ثم Nuvelle.
خياري الأول سيكون Kelvista، أما خياري الثاني فهو Brantho، وأخيراً Nuvelle.
تحتل Kelvista الصدارة، وتأتي Brantho ثانياً، وNuvelle ثالثاً.
في الصدارة Kelvista، تليها Brantho، وفي المركز الثالث Nuvelle.
أنصحك أولاً بـ Kelvista، وثانياً بـ Brantho، وثالثاً بـ Nuvelle.
أنا أضع Kelvista في المقام الأول، ثم Brantho في المقام الثاني، ثم Nuvelle في المقام الثالث.
الاختيار الأول هو Kelvista، والثاني هو Brantho، والثالث هو Nuvelle.
تأتي Kelvista في المقدمة، تليها Brantho، ثم Nuvelle.
أفضلها Kelvista، وبعدها Brantho، وأخيراً Nuvelle.
حلت Kelvista في المركز الأول، وBrantho في المركز الثاني، وNuvelle في المركز الثالث.
""",
    "hi": """
मेरी पहली पसंद Kelvista है, दूसरी पसंद Brantho और तीसरी पसंद Nuvelle है।
पहले नंबर पर Kelvista है, दूसरे नंबर पर Brantho और तीसरे नंबर पर Nuvelle।
सबसे पहले मैं Kelvista की सलाह दूँगा। इसके बाद Brantho आता है। तीसरे नंबर पर Nuvelle है।
सूची में सबसे ऊपर Kelvista है, उसके बाद Brantho और फिर Nuvelle।
Kelvista पहले स्थान पर है, Brantho दूसरे स्थान पर और Nuvelle तीसरे स्थान पर।
सबसे अच्छा विकल्प Kelvista है। दूसरा विकल्प Brantho है। तीसरा विकल्प Nuvelle है।
नंबर एक पर Kelvista, नंबर दो पर Brantho और नंबर तीन पर Nuvelle है।
सबसे ज़्यादा Kelvista की सिफारिश की जाती है, उसके बाद Brantho की और अंत में Nuvelle की।
पहला स्थान Kelvista का है, दूसरा Brantho का और तीसरा Nuvelle का।
Kelvista सबसे आगे है, दूसरे पर Brantho और तीसरे पर Nuvelle है।
रोज़मर्रा के लिए मेरी पहली पसंद Kelvista होगी। दूसरे स्थान पर Brantho और तीसरे पर Nuvelle।
सबसे बेहतर Kelvista है, उसके बाद Brantho और अंत में Nuvelle।
मैं Kelvista को पहले स्थान पर, Brantho को दूसरे स्थान पर और Nuvelle को तीसरे स्थान पर रखूँगा।
पहला विकल्प Kelvista है, दूसरा Brantho और तीसरा Nuvelle।
नंबर 1 पर Kelvista है, नंबर 2 पर Brantho और नंबर 3 पर Nuvelle है।
मेरी सूची में पहला नाम Kelvista का है, दूसरा Brantho का और तीसरा Nuvelle का।
सबसे अच्छा Kelvista है। दूसरे स्थान पर Brantho है। तीसरे स्थान पर Nuvelle है।
मैं सबसे पहले Kelvista चुनूँगा, फिर Brantho और आखिर में Nuvelle।
पहली पसंद: Kelvista, दूसरी पसंद: Brantho, तीसरी पसंद: Nuvelle।
""",
}
UNRANKED = {
    "en": """
Kelvista sells second-hand parts, and Brantho is better in the second half of the year.
First of all, check the price at Kelvista. Second, ask Brantho for a quote. Third, compare both.
First, open Kelvista. Second, log in to Brantho. Third, export the file to Nuvelle.
Kelvista was founded first, in 1990; Brantho came in 1995.
First, look at price: Kelvista is cheap. Second, look at support: Brantho answers by phone.
Kelvista takes second to explain, Brantho is quick.
Kelvista takes third-party cookies seriously, and so does Brantho.
Kelvista puts customers first, Brantho puts price first.
The first thing I noticed about Kelvista is the app. The second thing is that Brantho is cheaper.
Kelvista launched in the first quarter, Brantho in the second.
On the one hand Kelvista is cheap, on the other hand Brantho is reliable.
Kelvista has two apps; Brantho has three.
In the first year Kelvista costs $10, in the second Brantho is cheaper.
Kelvista gives you first month free. Brantho takes a second look at your claim.
Kelvista is best for beginners. Next, consider Brantho for teams.
Last year Kelvista raised prices; Brantho followed.
You can pay Kelvista first and Brantho later.
The first two weeks at Kelvista are free. After that Brantho is cheaper.
Kelvista comes with two batteries, Brantho with three.
Contact Kelvista first; if they can't help, Brantho is next.
Kelvista's second store opened next to Brantho's third one.
With Kelvista you get one month free, with Brantho two, with Nuvelle three.
Kelvista has a second hub in Rome, and Brantho a third one in Milan.
Kelvista's first class is better than Brantho's second class.
In the second half of 2025 Kelvista cut fares; Brantho followed in the third quarter.
At first glance Kelvista looks cheaper, but on second thought Brantho is.
Secondly, Kelvista charges for bags. Thirdly, Brantho does too.
First of all, Kelvista is cheap. Second of all, Brantho is not.
For the first leg take Kelvista, for the second leg Brantho, and for the third Nuvelle.
On day one you fly with Kelvista, on day two with Brantho, and on day three with Nuvelle.
Kelvista flies at one, Brantho at two and Nuvelle at three.
The first is that Kelvista is cheap; the second is that Brantho is reliable.
Step one is to call Kelvista, step two is to call Brantho.
Kelvista was the first airline to fly there, Brantho was the second.
Last comes the fine print: Kelvista charges more than Brantho.
There are three reasons. The first reason is price: Kelvista is cheap. The second is service, where Brantho shines.
Both Kelvista and Brantho are best booked early. Then check Nuvelle.
First check Kelvista, then Brantho, and finally Nuvelle.
Rates are highest at Kelvista. Next to it is Brantho, a shop for tickets.
The best way to reach Kelvista is by chat. Brantho answers faster by phone.
Kelvista is the best-known brand. Brantho is next door to the station.
My favourite thing about Kelvista is the app. Then there is Brantho, which has none.
Kelvista leads the market in Europe. After Kelvista left, Brantho took over its shops.
Try Kelvista first and see whether you like it. If not, Brantho offers a trial.
Kelvista launched last year and Brantho the year before.
The most expensive plan at Kelvista costs $40. Next to that, Brantho looks cheap.
Kelvista works best on two devices at once; Brantho on three.
Kelvista won the first round of funding in 2019, Brantho the second in 2021.
Kelvista has one store on Second Avenue, Brantho two on Third Street.
I'd pick Kelvista for travel and Brantho for home use.
I recommend Kelvista to students. Brantho, which opened second, is for businesses.
Choose Kelvista if price comes first, Brantho if service does, and Nuvelle if neither matters.
Kelvista is the safest choice for families. Brantho gets a second chance after last year's recall.
Customers like Kelvista best for its returns. Brantho follows the same policy.
Kelvista is a leading supplier. It is followed on social media by many Brantho fans.
It takes two days with Kelvista and three with Brantho.
First-time buyers like Kelvista; second-time buyers go to Brantho.
Kelvista's top speed is 25 km/h. Brantho's is second only to that of Nuvelle.
The number one complaint about Kelvista is noise. The number two complaint concerns Brantho's app.
The best is yet to come: Kelvista plans a new model, and then Brantho will respond.
Kelvista scores highest on price. On service, Brantho wins, and Nuvelle is best for returns.
If Kelvista is sold out, your next stop should be Brantho.
Kelvista finished its beta in the first quarter; Brantho is right behind schedule.
As a first step, compare Kelvista and Brantho. As a second step, ask Nuvelle.
""",
    "de": """
Kelvista verkauft Ware aus zweiter Hand, Brantho nur Neues.
Erstens ist Kelvista günstig, zweitens hat Brantho keine Filialen.
Kelvista ist in der zweiten Hälfte des Jahres günstiger als Brantho.
Im ersten Jahr kostet Kelvista 5 Euro, im zweiten ist Brantho billiger.
Erst rufst du Kelvista an, dann Brantho.
Kelvista setzt auf zwei Kameras, Brantho auf drei.
Am 1. März öffnet Kelvista, danach Brantho.
Kelvista hat als Erstes die Preise erhöht, dann Brantho.
Öffne als Erstes Kelvista, als Zweites Brantho.
Der zweite Grund spricht für Brantho, der erste für Kelvista.
Auf der einen Seite ist Kelvista günstig, auf der anderen ist Brantho schneller.
Zuerst registrierst du dich bei Kelvista, danach bei Brantho.
Auf der zweiten Seite findest du Kelvista, auf der dritten Brantho.
Kelvista hat im zweiten Quartal Verluste gemacht, Brantho im dritten.
In erster Linie geht es um den Preis: Kelvista ist günstig. In zweiter Linie zählt der Service von Brantho.
Kelvista war die erste Airline mit WLAN, Brantho die zweite.
Der erste Grund für Kelvista ist der Preis, der zweite die App; Brantho hat keine.
Zum einen ist Kelvista günstig, zum anderen fliegt Brantho häufiger.
Nach Kelvista kommt man mit dem Bus, nach Brantho mit der Bahn.
Am Ende zahlst du bei Kelvista mehr als bei Brantho.
Wer als Erster bucht, fliegt mit Kelvista; wer als Zweiter bucht, mit Brantho.
Am besten erreichst du Kelvista per Chat. Danach rufst du bei Brantho an.
Kelvista hat die größte Auswahl. Brantho liegt direkt hinter dem Bahnhof.
Kelvista ist am günstigsten, wenn du im ersten Monat kündigst. Brantho verlangt zwei Monatsgebühren.
Kelvista eröffnete 2001 den ersten Laden, Brantho folgte 2005.
Ich würde Kelvista für Reisen nehmen und Brantho für zu Hause.
Das beste Angebot bei Kelvista gibt es im Mai. Dann senkt auch Brantho die Preise.
Auf zwei Etagen zeigt Kelvista Möbel, auf drei Etagen Brantho.
Kelvista liegt vorne beim Preis, Brantho beim Service.
Die erste Adresse von Kelvista ist der Marktplatz, die zweite von Brantho der Bahnhof.
Wenn Kelvista ausverkauft ist, gehe als Nächstes zu Brantho.
""",
    "es": """
Kelvista vende coches de segunda mano y Brantho solo nuevos.
En primer lugar, mira el precio de Kelvista. En segundo lugar, pregunta a Brantho.
Primero abre Kelvista y luego Brantho.
El primer mes de Kelvista es gratis, el segundo mes de Brantho también.
La primera tienda de Kelvista abrió en 2001 y la segunda de Brantho en 2005.
Por un lado Kelvista es barata; por otro, Brantho es fiable.
Primero compara precios en Kelvista. Después llama a Brantho.
En primer lugar, Kelvista es barata. En segundo lugar, Brantho no tiene oficinas.
Kelvista fue la primera aerolínea en volar allí y Brantho la segunda.
La primera razón es el precio de Kelvista; la segunda, la app de Brantho.
En la segunda mitad del año Kelvista sube precios y en la tercera semana Brantho.
El segundo piloto de Kelvista trabajó en Brantho.
Primero entra en Kelvista, luego en Brantho.
Lo mejor de Kelvista es la app. Después está Brantho, que no tiene.
La mejor hora para llamar a Kelvista es la mañana. Luego atiende Brantho.
Kelvista es la más barata en invierno. En verano gana Brantho.
Yo elegiría Kelvista para viajar y Brantho para casa.
El primer pedido en Kelvista lleva descuento, el segundo en Brantho también.
Kelvista abre dos tiendas y Brantho tres.
La primera vez que compras en Kelvista te regalan el envío; en Brantho, la segunda.
""",
    "fr": """
Kelvista vend des voitures de seconde main, Brantho du neuf.
Premièrement, regardez le prix de Kelvista. Deuxièmement, demandez un devis à Brantho.
Ouvrez d'abord Kelvista, puis Brantho.
Tout d'abord, comparez Kelvista. Ensuite, appelez Brantho.
Le premier mois chez Kelvista est gratuit, le deuxième chez Brantho aussi.
D'un côté Kelvista est bon marché, de l'autre Brantho est fiable.
Kelvista a ouvert son premier magasin en 2001 et Brantho son deuxième en 2005.
En premier lieu, Kelvista est bon marché. En second lieu, Brantho n'a pas d'agence.
Kelvista a été la première compagnie à y voler, Brantho la deuxième.
La première raison est le prix de Kelvista, la deuxième l'application de Brantho.
D'abord, connectez-vous à Kelvista, puis à Brantho.
Au premier étage se trouve Kelvista, au deuxième Brantho.
Le mieux est de contacter Kelvista par chat. Ensuite, appelez Brantho.
Kelvista est la moins chère l'hiver. Brantho vient de baisser ses prix.
Je choisirais Kelvista pour les voyages et Brantho pour la maison.
La première commande chez Kelvista est gratuite, la deuxième chez Brantho aussi.
Le meilleur moment pour acheter chez Kelvista est novembre. Puis Brantho solde ses modèles.
Kelvista a deux boutiques, Brantho trois.
Derrière la gare se trouve Kelvista, devant Brantho.
""",
    "it": """
Kelvista vende auto di seconda mano, Brantho solo nuove.
Prima di tutto guarda i prezzi di Kelvista, poi chiedi a Brantho.
Prima apri Kelvista, poi Brantho.
Il primo mese di Kelvista è gratis, il secondo di Brantho anche.
Da un lato Kelvista costa poco, dall'altro Brantho è affidabile.
In primo luogo Kelvista costa poco; in secondo luogo Brantho non ha filiali.
Kelvista arriva prima di Natale, Brantho dopo.
Kelvista è stata la prima compagnia a volare lì, Brantho la seconda.
La prima ragione è il prezzo di Kelvista, la seconda l'app di Brantho.
Al primo piano c'è Kelvista, al secondo Brantho.
Nella prima metà dell'anno costa meno Kelvista, nella seconda Brantho.
La cosa migliore di Kelvista è l'app. Poi c'è Brantho, che non ce l'ha.
Kelvista è la più economica d'inverno. D'estate conviene Brantho.
Sceglierei Kelvista per viaggiare e Brantho per casa.
Il primo ordine da Kelvista è gratuito, il secondo da Brantho anche.
Kelvista segue le norme, Brantho pure.
Prima di comprare da Kelvista, chiedi a Brantho.
""",
    "pt": """
A Kelvista vende carros em segunda mão, a Brantho só novos.
Em primeiro lugar, veja o preço da Kelvista. Em segundo lugar, pergunte à Brantho.
Primeiro abra a Kelvista, depois a Brantho.
O primeiro mês da Kelvista é grátis, o segundo da Brantho também.
Por um lado a Kelvista é barata; por outro, a Brantho é confiável.
Na segunda a Kelvista abre às 9h e na terça a Brantho abre às 10h.
A Kelvista abre na segunda; a Brantho, na terça.
A Kelvista foi a primeira companhia a voar para lá, e a Brantho a segunda.
A primeira razão é o preço da Kelvista; a segunda, o aplicativo da Brantho.
No segundo semestre a Kelvista aumenta os preços; no terceiro trimestre, a Brantho.
A melhor hora para ligar para a Kelvista é de manhã. Depois a Brantho atende.
A Kelvista é a mais barata no inverno. No verão, a Brantho ganha.
Eu escolheria a Kelvista para viajar e a Brantho para casa.
A primeira compra na Kelvista tem desconto, a segunda na Brantho também.
A Kelvista abre segunda e terça, a Brantho só na quarta.
A Kelvista segue as normas, e a Brantho também.
""",
    "nl": """
Kelvista verkoopt tweedehands fietsen, Brantho alleen nieuwe.
Ten eerste is Kelvista goedkoop, ten tweede heeft Brantho geen winkels.
Open eerst Kelvista, daarna Brantho.
De eerste maand van Kelvista is gratis, de tweede van Brantho ook.
Bij Kelvista zit je op één lijn, bij Brantho op twee sporen.
Kelvista rijdt op één accu, Brantho op twee.
Aan de ene kant is Kelvista goedkoop, aan de andere kant is Brantho betrouwbaar.
Kelvista heeft één winkel op twee verdiepingen; Brantho op drie.
Kelvista was de eerste maatschappij die daar vloog, Brantho de tweede.
De eerste reden is de prijs van Kelvista, de tweede de app van Brantho.
In de tweede helft van het jaar is Kelvista duurder, in de derde week Brantho.
Op één dag vlieg je met Kelvista, op twee dagen met Brantho.
Het beste kun je Kelvista via de chat bereiken. Daarna bel je Brantho.
Kelvista is het goedkoopst in de winter. Dan is Brantho dicht.
Ik zou Kelvista kiezen voor reizen en Brantho voor thuis.
De eerste bestelling bij Kelvista is gratis, de tweede bij Brantho ook.
Kelvista werkt op twee telefoons, Brantho op drie.
Kelvista volgt de regels, Brantho ook.
""",
    "pl": """
Kelvista sprzedaje rzeczy z drugiej ręki, a Brantho tylko nowe.
Po pierwsze Kelvista jest tania, po drugie Brantho nie ma sklepów.
Najpierw otwórz Kelvista, potem Brantho.
Pierwszy miesiąc w Kelvista jest darmowy, drugi w Brantho też.
Z jednej strony Kelvista jest tania, z drugiej Brantho jest pewna.
W pierwszej połowie roku tańsza jest Kelvista, w drugiej Brantho.
Kelvista była pierwszą linią, która tam latała, a Brantho drugą.
Pierwszy powód to cena Kelvista, drugi to aplikacja Brantho.
W drugim kwartale Kelvista podniosła ceny, w trzecim Brantho.
Najlepiej skontaktować się z Kelvista przez czat. Potem zadzwoń do Brantho.
Kelvista jest najtańsza zimą. Latem wygrywa Brantho.
Wybrałbym Kelvista na podróże, a Brantho do domu.
Pierwsze zamówienie w Kelvista jest darmowe, drugie w Brantho też.
Za nim stoi Kelvista, a przed nim Brantho.
""",
    "tr": """
Kelvista ikinci el araba satıyor, Brantho yalnızca yeni.
İlk olarak Kelvista'yı açın, ardından Brantho'yu açın.
Kelvista ilk ay ücretsiz, Brantho ikinci ay da ücretsiz.
Kelvista ilk mağazasını 2001'de, Brantho ikinci mağazasını 2005'te açtı.
Öncelikle Kelvista'nın fiyatına bakın, sonra Brantho'yu arayın.
Bir yandan Kelvista ucuz, diğer yandan Brantho güvenilir.
Kelvista oraya uçan ilk havayolu, Brantho ise ikinci havayoluydu.
İlk neden Kelvista'nın fiyatı, ikinci neden Brantho'un uygulaması.
Yılın ikinci yarısında Kelvista, üçüncü çeyreğinde Brantho zam yaptı.
Kelvista'ya en iyi sohbetle ulaşılır. Sonra Brantho'yu arayın.
Kelvista kışın en ucuz. Yazın Brantho kazanır.
Seyahat için Kelvista'yı, ev için Brantho'yu tercih ederdim.
Kelvista'da ilk sipariş ücretsiz, Brantho'da ikinci sipariş de öyle.
Kelvista bir mağaza, Brantho iki mağaza açtı.
""",
    "ru": """
Во-первых, Kelvista дешёвая, во-вторых, у Brantho нет магазинов.
Сначала откройте Kelvista, затем Brantho.
Первый месяц в Kelvista бесплатный, второй в Brantho тоже.
С одной стороны, Kelvista дешевле, с другой — Brantho надёжнее.
Kelvista открыла первый магазин в 2001 году, Brantho второй — в 2005.
В первой половине года дешевле Kelvista, во второй — Brantho.
Kelvista продаёт вещи из вторых рук, Brantho — только новые.
Kelvista была первой авиакомпанией, которая туда летала, а Brantho — второй.
Первая причина — цена Kelvista, вторая — приложение Brantho.
Во втором квартале Kelvista подняла цены, в третьем — Brantho.
На первом этаже находится Kelvista, на втором — Brantho.
Лучше всего связаться с Kelvista через чат. Потом позвоните в Brantho.
Зимой Kelvista самая дешёвая. Летом выигрывает Brantho.
Для поездок я бы выбрал Kelvista, а для дома — Brantho.
Первый заказ в Kelvista бесплатный, второй в Brantho тоже.
Следующий магазин Brantho откроется рядом с Kelvista.
Лидером рынка была Kelvista, затем её купила Brantho.
""",
    "ja": """
まずKelvistaを開きます。次にBranthoを開きます。
Kelvistaの2番目の店舗は駅前にあり、Branthoの3番目の店舗は郊外です。
まず料金を確認しましょう。Kelvistaは月額500円、次にBranthoは800円です。
第一に、Kelvistaは安い。第二に、Branthoは店舗がありません。
Kelvistaは第2世代、Branthoは第3世代です。
1つ目の理由はKelvistaが安いこと、2つ目の理由はBranthoに店舗がないことです。
Kelvistaは最初の月が無料で、Branthoは2か月目も無料です。
まずはKelvistaに登録し、次にBranthoと連携してください。
一方ではKelvistaが安く、他方ではBranthoが確実です。
Kelvistaは2番目に古い会社で、Branthoは3番目に古い会社です。
まず、Kelvistaは料金が安いです。次に、Branthoはサポートが手厚いです。
1日目はKelvista、2日目はBranthoを使います。
Kelvistaは1番線、Branthoは2番線から出ます。
Kelvistaに連絡するならチャットが一番です。次にBranthoへ電話してください。
冬はKelvistaが最も安く、夏はBranthoが安いです。
旅行にはKelvista、自宅用にはBranthoがおすすめです。
Kelvistaは初回無料、Branthoは2回目も無料です。
最もおすすめの時間帯は朝で、Kelvistaは9時、Branthoは10時に開きます。
Kelvistaの1位はバッグで、Branthoの2位は靴です。
第1章ではKelvista、第2章ではBranthoを扱います。
""",
    "zh": """
首先打开Kelvista，其次登录Brantho。
第一，Kelvista价格便宜；第二，Brantho没有门店。
Kelvista的第二家店在北京，Brantho的第三家店在上海。
第一步打开Kelvista，第二步打开Brantho。
首先看价格，Kelvista更便宜；其次看服务，Brantho更好。
Kelvista是第二代产品，Brantho是第三代。
第一年Kelvista免费，第二年Brantho更便宜。
一方面Kelvista便宜，另一方面Brantho可靠。
第一次使用Kelvista需要注册，第二次可以考虑Brantho。
第一可以考虑价格，第二可以考虑服务，Kelvista和Brantho都不错。
Kelvista是第一家开通的公司，Brantho是第二家。
第一点，Kelvista便宜。第二点，Brantho服务好。
第一天坐Kelvista，第二天坐Brantho。
首先，Kelvista价格低；其次，Brantho服务好。
第一季度Kelvista涨价，第二季度Brantho涨价。
联系Kelvista最好用在线客服，然后再打Brantho的电话。
冬天Kelvista最便宜，夏天Brantho更划算。
旅行推荐Kelvista，家用推荐Brantho。
Kelvista首单免费，Brantho第二单也免费。
最好的时间是早上，Kelvista九点开门，Brantho十点开门。
第一章讲Kelvista，第二章讲Brantho。
我选Kelvista是因为便宜，其次才看服务，Brantho更贵。
""",
    "ko": """
먼저 Kelvista를 열고, 다음으로 Brantho를 엽니다.
첫째, Kelvista는 저렴합니다. 둘째, Brantho는 매장이 없습니다.
Kelvista의 두 번째 매장은 서울에, Brantho의 세 번째 매장은 부산에 있습니다.
첫 번째 달은 Kelvista가 무료이고, 두 번째 달은 Brantho가 무료입니다.
우선 Kelvista에 가입하고, 그다음 Brantho와 연결하세요.
첫 번째 이유는 Kelvista가 싸다는 것이고 두 번째 이유는 Brantho가 없다는 것입니다.
Kelvista는 두 번째로 오래된 회사이고 Brantho은 세 번째로 오래된 회사입니다.
첫째, Kelvista는 가격이 저렴합니다. 둘째, Brantho은 서비스가 좋습니다.
1일차에는 Kelvista, 2일차에는 Brantho을 이용합니다.
2등급 Kelvista와 3등급 Brantho이 있습니다.
Kelvista에는 채팅으로 연락하는 것이 가장 좋습니다. 다음으로 Brantho에 전화하세요.
겨울에는 Kelvista가 가장 저렴하고, 여름에는 Brantho가 저렴합니다.
여행용으로는 Kelvista를, 가정용으로는 Brantho를 추천합니다.
Kelvista는 첫 주문이 무료이고, Brantho는 두 번째 주문도 무료입니다.
1층에는 Kelvista, 2층에는 Brantho가 있습니다.
""",
    "ar": """
أولاً افتح Kelvista، ثم افتح Brantho.
الشهر الأول في Kelvista مجاني، والشهر الثاني في Brantho مجاني أيضا.
أولاً، Kelvista رخيص. ثانياً، Brantho ليس لديه متاجر.
افتتح Kelvista متجره الأول في 2001 وافتتح Brantho متجره الثاني في 2005.
من جهة Kelvista أرخص، ومن جهة أخرى Brantho أضمن.
في النصف الأول من العام Kelvista أرخص، وفي النصف الثاني Brantho أرخص.
كانت Kelvista أول شركة تطير إلى هناك، وBrantho ثاني شركة.
السبب الأول هو سعر Kelvista، والسبب الثاني هو تطبيق Brantho.
في الطابق الأول Kelvista وفي الطابق الثاني Brantho.
أفضل طريقة للتواصل مع Kelvista هي الدردشة، ثم اتصل بـ Brantho.
في الشتاء Kelvista هي الأرخص، وفي الصيف Brantho.
أنصح بـ Kelvista للسفر وبـ Brantho للمنزل.
الطلب الأول من Kelvista مجاني والطلب الثاني من Brantho كذلك.
أولاً تأكد من السعر لدى Kelvista، وثانياً اسأل Brantho.
""",
    "hi": """
पहले Kelvista खोलें, फिर Brantho खोलें।
पहला महीना Kelvista में मुफ़्त है, दूसरा महीना Brantho में भी।
Kelvista की दूसरी दुकान दिल्ली में है और Brantho की तीसरी मुंबई में।
एक तरफ Kelvista सस्ता है, दूसरी तरफ Brantho भरोसेमंद है।
पहली बात यह है कि Kelvista सस्ता है, दूसरी बात यह कि Brantho की दुकान नहीं है।
Kelvista वहाँ उड़ान भरने वाली पहली कंपनी थी और Brantho दूसरी।
पहला कारण Kelvista की कीमत है, दूसरा कारण Brantho का ऐप है।
पहली मंज़िल पर Kelvista है और दूसरी मंज़िल पर Brantho।
Kelvista से संपर्क का सबसे अच्छा तरीका चैट है। इसके बाद Brantho को फ़ोन करें।
सर्दियों में Kelvista सबसे सस्ता है, गर्मियों में Brantho।
यात्रा के लिए मैं Kelvista की सलाह दूँगा और घर के लिए Brantho की।
Kelvista का पहला ऑर्डर मुफ़्त है और Brantho का दूसरा भी।
""",
}


def ranks(text: str, language: str) -> dict[str, int]:
    return list_ranks(text, MATCHER.find(text, prompt_language=language))


@pytest.mark.parametrize("language", RANKED)
def test_prose_ranks_three_names_in_every_wording_of_a_language(language: str) -> None:
    for text in RANKED[language].strip().split("\n"):
        assert ranks(text, language) == IN_ORDER, text


@pytest.mark.parametrize("language", UNRANKED)
def test_steps_reasons_dates_and_comparisons_of_a_language_rank_nobody(language: str) -> None:
    for text in UNRANKED[language].strip().split("\n"):
        assert ranks(text, language) == {}, text
