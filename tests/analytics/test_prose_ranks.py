"""Prose that ranks in fifteen languages, and prose beside it that ranks nobody."""

import pytest

from analytics.answers.ranks import list_ranks
from analytics.matching.aliases import Alias, Entity
from analytics.matching.mentions import Matcher
from tests.analytics.three_makers import NAMES, ranks

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


@pytest.mark.parametrize("language", RANKED)
def test_prose_ranks_three_names_in_every_wording_of_a_language(language: str) -> None:
    for text in RANKED[language].strip().split("\n"):
        assert ranks(text, language) == IN_ORDER, text


@pytest.mark.parametrize("language", UNRANKED)
def test_steps_reasons_dates_and_comparisons_of_a_language_rank_nobody(language: str) -> None:
    for text in UNRANKED[language].strip().split("\n"):
        assert ranks(text, language) == {}, text


NAMED = {
    "en": """
Sonos > Bose > Denon | | For multi-room audio, Sonos would be my first recommendation because the app ties everything together. Bose comes in second; its speakers sound warmer but the app is slower. If neither fits, Denon is a reasonable third choice.
Sonos > Bose > Denon | | Sonos edges out the competition on sound. Bose is close behind, and Denon rounds out the list.
Sonos > Bose | Denon | Reviewers consistently put Sonos at the top, with Bose a step behind. Denon is worth a look if you already own one of its receivers.
Sonos > Bose > Denon | | Which one to buy? Sonos, no question. Bose if you want the second-best option, and Denon as the third.
Sonos > Bose > Denon | | Ranked by ease of setup, Sonos is number 1, Bose number 2 and Denon number 3.
Sonos > Bose > Denon | | Sonos claims the top spot in our tests. Second place: Bose. Third place: Denon.
Sonos > Bose > Denon | | I'd start with Sonos. Next on my list would be Bose, then Denon.
Sonos > Bose > Denon | | Sonos is the leader here; Bose sits in second place thanks to its noise control, and Denon in third.
Sonos > Bose > Denon | | The overall winner is Sonos, which offers the widest range. In second place is Bose, which costs a little less. And in third place is Denon.
Sonos > Bose > Denon | | Put simply: Sonos first, Bose second, Denon third.
Sonos > Bose > Denon | | If I had to choose, I'd go Sonos first, then Bose, and Denon only as a last resort.
Ramp > Brex > Expensify | | Of the expense tools I looked at, Ramp stands out as the best. Brex takes second place, largely for its rewards. Expensify takes third.
Ramp > Brex | Expensify | Ramp is probably the strongest pick, with Brex a close second. Expensify is fine for freelancers.
Ramp > Brex > Expensify | | I'd put Ramp on top. Brex lands just behind it, and Expensify brings up the rear.
Ramp > Brex > Expensify | | If I were choosing today, Ramp would top my list, followed by Brex. Expensify would be my third option.
Ramp > Brex > Expensify | | Best of the bunch: Ramp. Second best: Brex. Third: Expensify.
Ramp > Brex > Expensify | | Ramp earns our top recommendation, Brex earns second, and Expensify third.
Ramp > Brex > Expensify | | On price alone, the order would be Ramp, Brex, Expensify.
Ramp > Brex > Expensify | | Users rate Ramp highest. Brex is second, and Expensify, despite its age, is third.
Ramp > Brex > Expensify | | My pick is Ramp; a distant second is Brex; and in last place is Expensify.
Ramp > Brex > Expensify | | The first name on my list is Ramp. The second is Brex, and the third is Expensify.
Trek > Canyon > Giant | | For a first road bike, most forums point to Trek before anything else. Canyon is usually mentioned next because it sells direct. Giant tends to come third.
Trek > Canyon > Giant | | Trek is the safest bet. My runner-up would be Canyon, which, although it has no shops, beats everyone on price. Giant gets third place.
Trek > Canyon | Giant | If I could only recommend one, it would be Trek. Second in line: Canyon. Giant makes fine bikes too, but its range is confusing.
Trek > Canyon > Giant | | In terms of resale value, first is Trek, second is Canyon, third is Giant.
Trek > Canyon > Giant | | Trek narrowly beats Canyon into second place, and Giant is third.
Oatly > Califia | Minor Figures | Oatly foams best and is my default. Califia is the next best thing. I would skip Minor Figures for coffee.
Oatly > Minor Figures > Califia | | Oatly finished first in our blind test with 8.1 points, Minor Figures was second with 7.6, and Califia was third with 7.0.
Oatly > Minor Figures > Califia | | Oatly is out in front. Behind it sits Minor Figures, and Califia trails in third.
Oatly > Minor Figures | Califia | Of all the brands we tried, the favourite was Oatly, with Minor Figures taking second. Califia divided the panel.
Notarize > Snapdocs > Proof | | Based on response times, Notarize deserves the number one slot. Snapdocs earns the runner-up position, and Proof settles for third.
Notarize > Snapdocs > Proof | | Notarize has the edge for most people; Snapdocs is second-best, and Proof is the third option to consider.
Notarize > Snapdocs > Proof | | I'd call Notarize first, Snapdocs second and Proof third.
Notarize > Snapdocs > Proof | | For simplicity, it's Notarize first and foremost. Snapdocs comes second. Then there's Proof in third.
Notarize > Snapdocs | Proof | The highest-rated service is Notarize at 4.8 stars, with Snapdocs second at 4.6. Proof has too few reviews to rank.
""",
    "de": """
Miele > Bosch > AEG | | Bei Waschmaschinen würde ich Miele an die erste Stelle setzen, weil die Geräte am längsten halten. Danach kommt Bosch mit dem besseren Preis. AEG sehe ich auf Platz drei.
Miele > Bosch > AEG | | Klarer Testsieger ist Miele. Den zweiten Rang teilt sich niemand: Er geht an Bosch. Dritter wird AEG.
Miele > Bosch > AEG | | Meine persönliche Rangliste: ganz vorne Miele, dann Bosch und schließlich AEG.
Miele > Bosch | AEG | Am häufigsten wird Miele genannt, dicht dahinter Bosch. AEG taucht nur vereinzelt auf.
Miele > Bosch > AEG | | Miele belegt in den meisten Tests Platz 1. Bosch landet auf Platz 2, AEG auf Platz 3.
Miele > Bosch > AEG | | Wenn das Geld keine Rolle spielt, nimm Miele. Meine zweite Wahl wäre Bosch, meine dritte AEG.
Miele > Bosch > AEG | | Auf dem ersten Platz liegt Miele, gefolgt von Bosch. Den Abschluss bildet AEG.
Miele > Bosch > AEG | | Als beste Option gilt Miele, als zweitbeste Bosch und als drittbeste AEG.
Miele > Bosch > AEG | | An der Spitze steht Miele. Es folgen Bosch und AEG.
Hetzner > Ionos > Strato | | Für kleine Projekte setze ich Hetzner auf die Eins. Ionos folgt auf der Zwei, Strato auf der Drei.
Hetzner > Ionos > Strato | | Am meisten überzeugt hat mich Hetzner. An zweiter Stelle nenne ich Ionos, und an dritter Stelle Strato.
Hetzner > Ionos | Strato | Mein klarer Favorit bleibt Hetzner, Zweiter ist Ionos. Strato kenne ich nur von früher.
Hetzner > Ionos > Strato | | Hetzner geht als Sieger hervor, Ionos als Zweiter und Strato als Dritter.
Hetzner > Ionos > Strato | | Ich empfehle in dieser Reihenfolge: Hetzner, Ionos, Strato.
Hetzner > Ionos > Strato | | Die Nummer eins ist für mich Hetzner; dann kommt lange nichts; dann Ionos und danach Strato.
Hetzner > Ionos > Strato | | Zuallererst würde ich Hetzner in Betracht ziehen, als Zweites Ionos und als Drittes Strato.
Huk > Allianz > Ergo | | Im Preisvergleich liegt die Huk vorn. Mit etwas Abstand folgt die Allianz. Ergo muss sich mit Platz drei begnügen.
Huk > Allianz > Ergo | | Zuerst würde ich mir die Huk ansehen, dann die Allianz und erst danach Ergo.
Huk > Allianz | Ergo | Der erste Platz geht klar an die Huk; auf dem zweiten sehe ich die Allianz. Ergo ist eher etwas für Selbstständige.
Huk > Allianz > Ergo | | Platz eins: Huk. Platz zwei: Allianz. Platz drei: Ergo.
Rügenwalder > Like Meat > Garden Gourmet | | Im Geschmackstest siegt Rügenwalder; den zweiten Platz holt Like Meat, während Garden Gourmet Dritter wird.
Rügenwalder > Like Meat > Garden Gourmet | | Wenn ich eine Reihenfolge festlegen müsste: Rügenwalder zuerst, Like Meat an zweiter und Garden Gourmet an dritter Stelle.
Rügenwalder > Like Meat > Garden Gourmet | | Rügenwalder würde ich als Erstes probieren. Auf Platz 2 käme bei mir Like Meat, auf Platz 3 Garden Gourmet.
Rügenwalder > Like Meat | Garden Gourmet | Die meisten Stimmen bekam Rügenwalder, die zweitmeisten Like Meat. Garden Gourmet war ausverkauft.
Airup > Waterdrop > Soulbottles | | Bei mir gewinnt Airup. An Position zwei steht Waterdrop, an Position drei Soulbottles.
Airup > Waterdrop > Soulbottles | | Die Spitzenposition hält Airup, Silber geht an Waterdrop und Bronze an Soulbottles.
Airup > Waterdrop | Soulbottles | Erste Empfehlung wäre Airup, zweite Empfehlung Waterdrop. Soulbottles ist aus Glas und deshalb schwerer.
""",
    "es": """
Iberia > Vueling > Volotea | | Para volar a Canarias, mi primera elección sería Iberia por los horarios. La segunda sería Vueling, que suele ser más barata. En tercer lugar quedaría Volotea.
Iberia > Vueling > Volotea | | Iberia es la mejor valorada. Le sigue de cerca Vueling y, algo más atrás, Volotea.
Iberia > Vueling | Volotea | La aerolínea más puntual es Iberia, seguida por Vueling. Volotea no publica datos.
Iberia > Vueling > Volotea | | Pondría a Iberia en primera posición, a Vueling en segunda y a Volotea en tercera.
Iberia > Vueling > Volotea | | En el puesto número uno está Iberia; en el dos, Vueling; en el tres, Volotea.
Iberia > Vueling > Volotea | | Si tuviera que ordenar: primero Iberia, segundo Vueling, tercero Volotea.
Iberia > Vueling > Volotea | | Gana Iberia. Segunda, Vueling. Tercera, Volotea.
Iberia > Vueling > Volotea | | La opción número uno es Iberia. Después pondría Vueling. Y cerrando la lista, Volotea.
Glovo > Just Eat > Uber Eats | | La app que más recomendaría es Glovo. En segundo lugar iría Just Eat, y Uber Eats quedaría tercera.
Glovo > Just Eat > Uber Eats | | Mi número uno es Glovo por la rapidez. El número dos, Just Eat. El número tres, Uber Eats.
Glovo > Just Eat > Uber Eats | | El orden sería: Glovo, Just Eat y Uber Eats.
Glovo > Just Eat > Uber Eats | | Glovo es mi primera opción, Just Eat la segunda y Uber Eats la tercera.
Glovo > Just Eat > Uber Eats | | El primer puesto se lo lleva Glovo. En el segundo está Just Eat y en el tercero, Uber Eats.
Leroy Merlin > Bricomart > Ikea | | Para reformar la cocina, mi preferida es Leroy Merlin. Bricomart la sigue muy de cerca y la tercera plaza es para Ikea.
Leroy Merlin > Bricomart > Ikea | | En lo alto de la lista pondría a Leroy Merlin; luego, a Bricomart; y por último, a Ikea.
Leroy Merlin > Bricomart | Ikea | Leroy Merlin es la opción número uno y Bricomart la número dos. Ikea solo vende muebles en kit.
Hacendado > Carbonell > La Española | | Si hablamos de relación calidad-precio, Hacendado va por delante. Carbonell ocupa la segunda plaza y La Española, la tercera.
Hacendado > Carbonell > La Española | | Mi primera recomendación es Hacendado; la segunda, Carbonell; y la tercera, La Española.
Hacendado > Carbonell > La Española | | En cabeza está Hacendado, en segundo lugar Carbonell y en tercero La Española.
Hacendado > Carbonell | La Española | El aceite más recomendado es Hacendado y el segundo más recomendado, Carbonell. La Española no estaba disponible.
Cofidis > Cetelem > Bondora | | Según los comparadores, la número uno es Cofidis, seguida de Cetelem; en el tercer puesto aparece Bondora.
Cofidis > Cetelem > Bondora | | Primera posición para Cofidis, segunda para Cetelem y tercera para Bondora.
Cofidis > Cetelem | Bondora | Mi apuesta principal es Cofidis y, como segunda alternativa, Cetelem. Bondora cobra más intereses.
""",
    "fr": """
Decathlon > Go Sport > Intersport | | Pour s'équiper à petit prix, mon premier réflexe serait Decathlon. Go Sport viendrait en deuxième, et Intersport en troisième.
Decathlon > Go Sport > Intersport | | Decathlon reste numéro un. La deuxième marche du podium revient à Go Sport, la troisième à Intersport.
Decathlon > Go Sport | Intersport | L'enseigne la plus citée est Decathlon, suivie par Go Sport. Intersport est moins connue.
Decathlon > Go Sport > Intersport | | En tête de mon classement, Decathlon. Puis vient Go Sport. En dernier, Intersport.
Decathlon > Go Sport > Intersport | | Le meilleur choix est Decathlon ; le deuxième, Go Sport ; le troisième, Intersport.
Decathlon > Go Sport > Intersport | | Je mettrais Decathlon en premier, Go Sport en deuxième et Intersport en troisième.
Decathlon > Go Sport > Intersport | | Decathlon se hisse à la première place. Go Sport suit juste derrière. Intersport complète le trio.
Doctolib > Qare > Livi | | En premier choix, je conseille Doctolib. En deuxième choix, Qare. En troisième choix, Livi.
Doctolib > Qare > Livi | | Doctolib arrive premier, Qare second et Livi troisième.
Doctolib > Qare | Livi | Le plus simple reste Doctolib, suivi de Qare. Livi n'ouvre que le soir.
Doctolib > Qare > Livi | | Sur la première marche du podium, Doctolib ; sur la deuxième, Qare ; sur la troisième, Livi.
Doctolib > Qare > Livi | | Mon classement : Doctolib, puis Qare, puis Livi.
Doctolib > Qare > Livi | | Je recommande Doctolib en priorité, Qare en second et Livi en dernier.
Boulanger > Darty > But | | Pour un lave-linge, j'irais d'abord chez Boulanger, puis chez Darty, et seulement après chez But.
Boulanger > Darty | But | Boulanger décroche la meilleure note, talonné par Darty. But livre plus lentement.
Boulanger > Darty > Conforama | | Le trio de tête se compose de Boulanger (1er), Darty (2e) et Conforama (3e).
Boulanger > Darty > Conforama | | Boulanger s'impose en première place ; Darty occupe la deuxième ; Conforama ferme le podium.
Alpro > Bjorg > Sojade | | Alpro arrive en première place de notre test, Bjorg se contente de la deuxième et Sojade de la troisième.
Alpro > Bjorg > Sojade | | Dans l'ordre, je dirais Alpro, Bjorg, puis Sojade.
Alpro > Bjorg > Sojade | | Mon préféré reste Alpro. En deuxième, je placerais Bjorg, et en troisième Sojade.
Alpro > Bjorg | Sojade | C'est Alpro qui l'emporte, devant Bjorg en deuxième position. Sojade n'a pas été testée.
Swile > Edenred > Pluxee | | La première place va à Swile, la deuxième à Edenred, la troisième à Pluxee.
Swile > Edenred > Pluxee | | Swile tient la corde, suivi d'Edenred, et Pluxee complète le podium.
Swile > Edenred | Pluxee | En numéro 1, je choisirais Swile ; en numéro 2, Edenred. Pluxee est surtout présent dans le public.
""",
    "it": """
Esselunga > Conad > Coop | | Per la spesa online la prima scelta resta Esselunga. La seconda è Conad, che copre più città. Terza, per qualità del servizio, Coop.
Esselunga > Conad > Coop | | In testa c'è Esselunga; subito dietro troviamo Conad, mentre Coop si ferma al terzo posto.
Esselunga > Conad | Coop | La catena più apprezzata è Esselunga, seguita da Conad. Coop ha il maggior numero di soci.
Esselunga > Conad > Coop | | Se dovessi fare una classifica: prima Esselunga, seconda Conad, terza Coop.
Esselunga > Conad > Coop | | Al numero uno metto Esselunga, al due Conad e al tre Coop.
Esselunga > Conad > Coop | | Medaglia d'oro a Esselunga, argento a Conad, bronzo a Coop.
Esselunga > Conad > Coop | | Il primo della classe è Esselunga, il secondo è Conad e il terzo è Coop.
Unieuro > Euronics > Trony | | Il mio preferito resta Unieuro. Dopo viene Euronics, mentre Trony è terzo.
Unieuro > Euronics > Trony | | Come prima opzione c'è Unieuro, come seconda Euronics, come terza Trony.
Unieuro > Euronics > Trony | | La mia classifica: primo Unieuro, secondo Euronics, terzo Trony.
Unieuro > Euronics | Trony | Il più affidabile è Unieuro, seguito a ruota da Euronics. Trony ha pochi negozi.
Unieuro > Euronics > Trony | | Partirei da Unieuro; la seconda scelta sarebbe Euronics; la terza Trony.
Generali > Allianz > Unipol | | Al vertice della mia lista c'è Generali. Al secondo gradino Allianz, al terzo Unipol.
Generali > Allianz > Unipol | | Consiglierei innanzitutto Generali, poi Allianz e per ultima Unipol.
Generali > Allianz > Unipol | | Generali è al primo posto, Allianz al secondo, Unipol al terzo.
Barilla > De Cecco > Rummo | | Secondo la maggior parte dei test, Barilla è prima, De Cecco seconda e Rummo terza.
Barilla > De Cecco > Rummo | | Io partirei da Barilla, che si trova ovunque. In seconda battuta proverei De Cecco e, in terza, Rummo.
Barilla > De Cecco > Rummo | | Sul gradino più alto del podio c'è Barilla, sul secondo De Cecco e sul terzo Rummo.
Barilla > De Cecco | Rummo | La più votata è Barilla e al secondo posto si piazza De Cecco. Rummo costa di più.
Glovo > Deliveroo > Just Eat | | Se devo scegliere, prima viene Glovo, seconda Deliveroo, terza Just Eat.
Glovo > Deliveroo > Just Eat | | Primo posto per Glovo, secondo per Deliveroo e terzo per Just Eat.
Glovo > Deliveroo | Just Eat | La prima che consiglierei è Glovo, la seconda Deliveroo. Just Eat copre meno zone.
""",
    "pt": """
Claro > Vivo > TIM | | Para quem viaja bastante, a minha primeira opção seria a Claro. A Vivo viria logo em seguida, e a TIM ficaria em terceiro.
Claro > Vivo > TIM | | A Claro aparece em primeiro no ranking, a Vivo em segundo e a TIM em terceiro.
Claro > Vivo | TIM | A operadora mais bem avaliada é a Claro, seguida da Vivo. A TIM tem planos mais baratos.
Claro > Vivo > TIM | | Meu ranking: em primeiro, Claro; em segundo, Vivo; em terceiro, TIM.
Claro > Vivo > TIM | | A campeã é a Claro. A vice é a Vivo. E o terceiro lugar é da TIM.
Claro > Vivo > TIM | | Em primeiro lugar ficaria a Claro, depois a Vivo e, por último, a TIM.
Nubank > Inter > C6 | | Eu começaria pelo Nubank. Em segundo lugar, consideraria o Inter. Em terceiro, o C6.
Nubank > Inter > C6 | | O Nubank é o primeiro da minha lista, o Inter é o segundo e o C6 é o terceiro.
Nubank > Inter | C6 | O banco mais elogiado é o Nubank, seguido de perto pelo Inter. O C6 tem um bom cartão.
Nubank > Inter > C6 | | Minha ordem de preferência: Nubank, Inter e C6.
Nubank > Inter > C6 | | Nubank em primeiro, Inter em segundo e C6 em terceiro: essa é a minha ordem.
Localiza > Movida > Unidas | | Para alugar carro, a Localiza encabeça a lista. A segunda colocada é a Movida, e a Unidas fecha o pódio.
Localiza > Movida > Unidas | | Primeira opção: Localiza. Segunda opção: Movida. Terceira opção: Unidas.
Localiza > Movida | Unidas | A Localiza é a minha favorita, com a Movida logo atrás. A Unidas só compensa em aeroportos.
Piracanjuba > Italac > Parmalat | | Eu colocaria a Piracanjuba no topo, a Italac na segunda posição e a Parmalat na terceira.
Piracanjuba > Italac > Parmalat | | A primeira indicação é a Piracanjuba. A segunda indicação é a Italac. A terceira, a Parmalat.
Piracanjuba > Italac | Parmalat | Quem lidera é a Piracanjuba; a Italac vem em segundo. A Parmalat saiu do teste.
Piracanjuba > Italac > Parmalat | | No primeiro lugar está a Piracanjuba, no segundo a Italac e no terceiro a Parmalat.
iFood > Rappi > Aiqfome | | O campeão é o iFood, o Rappi fica com a segunda posição e o Aiqfome com a terceira.
iFood > Rappi > Aiqfome | | Primeiro lugar para o iFood, segundo para o Rappi e terceiro para o Aiqfome.
iFood > Rappi | Aiqfome | Minha primeira recomendação é o iFood; a segunda, o Rappi. O Aiqfome atende cidades menores.
""",
    "nl": """
Coolblue > Bol > MediaMarkt | | Voor een wasmachine zou mijn eerste keuze Coolblue zijn, omdat ze gratis installeren. Bol komt op twee, en MediaMarkt zou ik op drie zetten.
Coolblue > Bol > MediaMarkt | | Coolblue staat bovenaan. Daarna komt Bol. MediaMarkt is de nummer drie.
Coolblue > Bol | MediaMarkt | De best beoordeelde winkel is Coolblue, op de voet gevolgd door Bol. MediaMarkt heeft de meeste filialen.
Coolblue > Bol > MediaMarkt | | Op de eerste plek eindigt Coolblue, op de tweede plek Bol en op de derde plek MediaMarkt.
Coolblue > Bol > MediaMarkt | | Mijn top drie: eerst Coolblue, dan Bol, dan MediaMarkt.
Coolblue > Bol > MediaMarkt | | Coolblue wint het op service, Bol wordt tweede en MediaMarkt derde.
Ziggo > KPN > Odido | | Zelf zou ik Ziggo op de eerste plaats zetten. KPN komt op de tweede plek en Odido op de derde.
Ziggo > KPN > Odido | | De nummer één is Ziggo, de nummer twee is KPN en de nummer drie is Odido.
Ziggo > KPN | Odido | Als beste komt Ziggo uit de test, gevolgd door KPN. Odido is goedkoper.
Ziggo > KPN > Odido | | Mijn eerste voorkeur gaat uit naar Ziggo, mijn tweede naar KPN en mijn derde naar Odido.
Ziggo > KPN > Odido | | In volgorde van voorkeur: Ziggo, KPN, Odido.
Ziggo > KPN > Odido | | Ik raad als eerste Ziggo aan, daarna KPN en pas als laatste Odido.
Albert Heijn > Picnic > Jumbo | | Voor thuisbezorging zou ik Albert Heijn bovenaan zetten, vlak daarna Picnic en dan pas Jumbo.
Albert Heijn > Picnic | Jumbo | De eerste keuze van de meeste mensen is Albert Heijn, met Picnic op twee. Jumbo bezorgt niet overal.
Campina > Arla > Melkunie | | Wat mij betreft gaat Campina aan kop, is Arla tweede en sluit Melkunie de rij.
Campina > Arla > Melkunie | | De eerste plek is voor Campina. De tweede is voor Arla, de derde voor Melkunie.
Campina > Arla | Melkunie | Het meest aanbevolen merk is Campina; Arla staat op de tweede plaats. Melkunie wordt minder genoemd.
Campina > Arla > Melkunie | | Campina komt als eerste uit de bus, Arla als tweede, en Melkunie als derde.
Thuisbezorgd > Uber Eats > Too Good To Go | | Mijn lijstje: op 1 Thuisbezorgd, op 2 Uber Eats en op 3 Too Good To Go.
Thuisbezorgd > Uber Eats > Too Good To Go | | De koppositie is voor Thuisbezorgd. Plaats twee gaat naar Uber Eats en plaats drie naar Too Good To Go.
Thuisbezorgd > Uber Eats | Too Good To Go | Ik zou als eerste Thuisbezorgd proberen en als tweede Uber Eats. Too Good To Go is iets anders.
""",
    "pl": """
Allegro > Amazon > Temu | | Do zakupów elektroniki na pierwszym miejscu postawiłabym Allegro, głównie za ochronę kupujących. Na drugim umieściłabym Amazon, a na trzecim Temu.
Allegro > Amazon > Temu | | Zdecydowanym liderem jest Allegro. Drugą pozycję zajmuje Amazon, trzecią Temu.
Allegro > Amazon | Temu | Najwyżej oceniane jest Allegro, a tuż za nim Amazon. Temu ma najniższe ceny.
Allegro > Amazon > Temu | | Moja kolejność: najpierw Allegro, potem Amazon, na końcu Temu.
Allegro > Amazon > Temu | | Pierwszy wybór to Allegro, drugi to Amazon, trzeci to Temu.
Netia > Vectra > Inea | | Moim numerem jeden jest Netia, numerem dwa Vectra, a numerem trzy Inea.
Netia > Vectra > Inea | | Na pierwszy plan wysuwa się Netia, druga jest Vectra, trzecia Inea.
Netia > Vectra | Inea | Najlepsze opinie zbiera Netia, a zaraz za nią jest Vectra. Inea działa tylko w Poznaniu.
Netia > Vectra > Inea | | Moja pierwsza propozycja to Netia. Druga to Vectra, a trzecia to Inea.
Netia > Vectra > Inea | | W kolejności: Netia, Vectra, Inea.
PKO > Santander > Millennium | | Na czele zestawienia stoi PKO, drugie jest Santander, a trzecie Millennium.
PKO > Santander > Millennium | | W pierwszej kolejności rozważyłbym PKO. Jako drugą opcję wskazałbym Santander. Millennium byłoby trzecie.
Łaciate > Mlekovita > Piątnica | | Na pierwszym miejscu jest Łaciate, a tuż za nim Mlekovita. Trzecie miejsce zajmuje Piątnica.
Łaciate > Mlekovita > Piątnica | | Gdybym miał wybierać, najpierw wziąłbym Łaciate, potem Mlekovita, a na końcu Piątnica.
Łaciate > Mlekovita | Piątnica | Zwyciężyło Łaciate, druga była Mlekovita. Piątnica nie brała udziału w teście.
Pyszne > Glovo > Wolt | | Wygrywa Pyszne, na drugim miejscu plasuje się Glovo, na trzecim Wolt.
Pyszne > Glovo > Wolt | | Jako numer jeden wskazałbym Pyszne, jako numer dwa Glovo, a jako numer trzy Wolt.
""",
    "tr": """
Trendyol > Hepsiburada > N11 | | Elektronik alışverişi için ilk önerim Trendyol olur, iade süreci kolay. İkinci olarak Hepsiburada'yı öneririm. Üçüncü sıraya ise N11'i koyarım.
Trendyol > Hepsiburada > N11 | | Zirvede Trendyol yer alıyor, onu Hepsiburada takip ediyor. Üçüncü sırada N11 var.
Trendyol > Hepsiburada | N11 | En çok tercih edilen site Trendyol, ardından Hepsiburada geliyor. N11 daha az biliniyor.
Trendyol > Hepsiburada > N11 | | Sıralamam şöyle: önce Trendyol, sonra Hepsiburada, en son N11.
Trendyol > Hepsiburada > N11 | | Birinci sırada Trendyol, ikinci sırada Hepsiburada, üçüncü sırada da N11 bulunuyor.
Trendyol > Hepsiburada | | Benim tercihim Trendyol olurdu; ikinci seçeneğim ise Hepsiburada.
Türk Telekom > Superonline > Kablonet | | Ev interneti için birinci tercihim Türk Telekom. İkinci sırada Superonline gelir, üçüncü sırada Kablonet.
Türk Telekom > Superonline > Kablonet | | İlk sırada Türk Telekom var. Hemen arkasından Superonline geliyor. Son sırada Kablonet yer alıyor.
Türk Telekom > Superonline | Kablonet | En hızlısı Türk Telekom, onu Superonline izliyor. Kablonet her yerde yok.
Türk Telekom > Superonline > Kablonet | | Şu sırayla öneririm: Türk Telekom, Superonline, Kablonet.
Türk Telekom > Superonline > Kablonet | | Birinciliği Türk Telekom alıyor, ikincilik Superonline'ın, üçüncülük ise Kablonet'in.
Turkcell > Vodafone > Bimcell | | Kapsama açısından Turkcell birinci sırada. Onun ardından Vodafone geliyor. Bimcell ise üçüncü.
Turkcell > Vodafone > Bimcell | | Ben olsam önce Turkcell'i, sonra Vodafone'u, en son da Bimcell'i seçerdim.
Sütaş > Pınar > İçim | | Benim sıralamamda birinci Sütaş, ikinci Pınar, üçüncü İçim.
Sütaş > Pınar > İçim | | İlk tavsiyem Sütaş olacaktır; ikinci tavsiyem Pınar, üçüncü tavsiyem ise İçim.
Sütaş > Pınar | İçim | Birinci sırayı Sütaş alırken ikinci sırada Pınar yer alıyor. İçim testte yoktu.
Getir > Yemeksepeti > Migros | | Benim için bir numara Getir, iki numara Yemeksepeti, üç numara da Migros.
Getir > Yemeksepeti > Migros | | İlk sıra Getir'in, ikinci sıra Yemeksepeti'nin, üçüncü sıra ise Migros'un.
Getir > Yemeksepeti | Migros | Öncelikle Getir'i öneririm, ikinci olarak Yemeksepeti'ni. Migros daha yavaş.
""",
    "ru": """
Тинькофф > Сбер > ВТБ | | Для кредитки я бы в первую очередь рассмотрел Тинькофф. На втором месте для меня Сбер, а ВТБ — на третьем.
Тинькофф > Сбер > ВТБ | | Лидером остаётся Тинькофф, следом идёт Сбер, третье место занимает ВТБ.
Тинькофф > Сбер | ВТБ | Чаще всего советуют Тинькофф, за ним следует Сбер. ВТБ упоминают реже.
Тинькофф > Сбер > ВТБ | | Мой рейтинг такой: первый — Тинькофф, второй — Сбер, третий — ВТБ.
Тинькофф > Сбер > ВТБ | | Я бы выбрал Тинькофф. Второй вариант — Сбер. Третий — ВТБ.
Тинькофф > Сбер > ВТБ | | Первую строчку занимает Тинькофф, вторую — Сбер, третью — ВТБ.
МТС > Билайн > Мегафон | | На первое место ставлю МТС. Второе место отдал бы Билайну, третье — Мегафону.
МТС > Билайн > Мегафон | | Номером один для меня остаётся МТС, номером два — Билайн, номером три — Мегафон.
МТС > Билайн | Мегафон | Самое широкое покрытие у МТС, за ним идёт Билайн. Мегафон дешевле.
МТС > Билайн > Мегафон | | Я бы рекомендовал в таком порядке: МТС, Билайн, Мегафон.
МТС > Билайн > Мегафон | | Лучше всего МТС, на втором месте Билайн, ну а третий — Мегафон.
Ламода > Вайлдберриз > Озон | | Для одежды на первом месте у меня Ламода, далее Вайлдберриз, а замыкает тройку Озон.
Ламода > Вайлдберриз > Озон | | Ламода занимает первую строчку, Вайлдберриз — вторую, Озон — третью.
Простоквашино > Домик в деревне > Вкуснотеево | | В нашем тесте победило Простоквашино, второе место заняло Домик в деревне, третье — Вкуснотеево.
Простоквашино > Домик в деревне > Вкуснотеево | | Начал бы я с Простоквашино. Вторым номером идёт Домик в деревне, третьим — Вкуснотеево.
Простоквашино > Домик в деревне | Вкуснотеево | Первым в списке стоит Простоквашино, вторым — Домик в деревне. Вкуснотеево продаётся не везде.
Самокат > Лавка > Купер | | Первым делом я бы попробовал Самокат, вторым — Лавку, третьим — Купер.
Самокат > Лавка > Купер | | Самокат — номер один, Лавка — номер два, Купер — номер три.
Самокат > Лавка | Купер | Больше всего хвалят Самокат, на втором месте — Лавка. Купер привозит дольше.
""",
    "ja": """
楽天モバイル > ドコモ > ソフトバンク | | データをたくさん使う方には、第一候補として楽天モバイルをおすすめします。第二候補はドコモで、つながりやすさが魅力です。第三候補はソフトバンクです。
楽天モバイル > ドコモ > ソフトバンク | | もっともおすすめなのは楽天モバイルです。その次におすすめなのがドコモ、最後にソフトバンクが続きます。
楽天モバイル > ドコモ | ソフトバンク | 最も評価が高いのは楽天モバイルで、次いでドコモでした。ソフトバンクは店舗数が多いのが特徴です。
楽天モバイル > ドコモ > ソフトバンク | | 個人的な順位は、1位が楽天モバイル、2位がドコモ、3位がソフトバンクです。
楽天モバイル > ドコモ > ソフトバンク | | まず検討したいのが楽天モバイルです。2番目に検討したいのがドコモ、3番目がソフトバンクという順番になります。
楽天モバイル > ドコモ > ソフトバンク | | 迷ったら楽天モバイルがおすすめです。2番目の候補はドコモ、3番目の候補はソフトバンクになります。
ニトリ > 無印良品 > イケア | | コスパで選ぶなら一番のおすすめはニトリです。次におすすめできるのは無印良品、3番目はイケアです。
ニトリ > 無印良品 > イケア | | おすすめ順に挙げると、ニトリ、無印良品、イケアの順です。
ニトリ > 無印良品 | イケア | 最も選ばれているのはニトリで、2位は無印良品です。イケアは店舗が限られます。
ニトリ > 無印良品 > イケア | | 第一選択はニトリ、第二選択は無印良品、第三選択はイケアです。
ニトリ > 無印良品 > イケア | | まずニトリ、次に無印良品、最後にイケアの順でおすすめします。
ニトリ > 無印良品 > イケア | | 一押しはニトリ。二番手は無印良品で、三番手がイケアです。
ユニクロ > 無印良品 > ジーユー | | 肌着ならユニクロが第一候補になります。次の候補は無印良品、その次がジーユーです。
ユニクロ > 無印良品 | ジーユー | 人気No.1はユニクロで、No.2は無印良品です。ジーユーは若い人向けです。
明治 > 森永 > 雪印 | | 牛乳なら明治がいちばんおすすめです。その次が森永、三番目が雪印です。
明治 > 森永 > 雪印 | | 最初に試してほしいのは明治です。2つ目は森永で、3つ目は雪印です。
明治 > 森永 | 雪印 | 評価が最も高かったのは明治で、2番目に高かったのは森永でした。雪印は今回対象外です。
出前館 > ウーバー > ウォルト | | まずは出前館をおすすめします。2番目におすすめなのがウーバー、3番目がウォルトです。
出前館 > ウーバー > ウォルト | | ランキング1位は出前館、2位はウーバー、3位はウォルトという結果でした。
出前館 > ウーバー | ウォルト | 使いやすさでは出前館がトップで、ウーバーが2番手です。ウォルトは対応地域が限られます。
""",
    "zh": """
携程 > 飞猪 > 去哪儿 | | 订机票的话，首先推荐携程，售后比较可靠；其次是飞猪，常有优惠；第三是去哪儿，比价方便。
携程 > 飞猪 > 去哪儿 | | 我心目中的第一名是携程，第二名是飞猪，第三名是去哪儿。
携程 > 飞猪 | 去哪儿 | 用户评价最高的是携程，紧随其后的是飞猪。去哪儿的特点是比价。
携程 > 飞猪 > 去哪儿 | | 如果让我排序，第一位给携程，第二位给飞猪，第三位给去哪儿。
携程 > 飞猪 > 去哪儿 | | 最推荐的是携程。第二推荐的是飞猪。最后可以看看去哪儿。
携程 > 飞猪 > 去哪儿 | | 携程排在首位，飞猪排在第二，去哪儿排在第三。
携程 > 飞猪 > 去哪儿 | | 首选当然是携程，备选是飞猪，第三个可以考虑的是去哪儿。
瑞幸 > 星巴克 > 库迪 | | 我会把瑞幸排第一，星巴克排第二，库迪排第三。
瑞幸 > 星巴克 > 库迪 | | 最值得买的是瑞幸，其次是星巴克，再次是库迪。
瑞幸 > 星巴克 | 库迪 | 综合评分最高的是瑞幸，第二是星巴克。库迪主打低价。
瑞幸 > 星巴克 > 库迪 | | 推荐顺序：瑞幸、星巴克、库迪。
瑞幸 > 星巴克 > 库迪 | | 第一选瑞幸，第二选星巴克，第三选库迪。
瑞幸 > 星巴克 > 库迪 | | 排名首位的是瑞幸，随后是星巴克，最后是库迪。
格力 > 美的 > 海尔 | | 空调我会优先考虑格力，其次是美的，再者是海尔。
格力 > 美的 > 海尔 | | 论口碑，格力第一，美的第二，海尔第三。
蒙牛 > 伊利 > 光明 | | 纯牛奶我会先选蒙牛，其次伊利，第三才是光明。
蒙牛 > 伊利 > 光明 | | 排第一的是蒙牛，口感最好；排第二的是伊利；排第三的是光明。
蒙牛 > 伊利 | 光明 | 评分最高的是蒙牛，排名第二的是伊利。光明这次没有参加测评。
蒙牛 > 伊利 > 光明 | | 第一推荐是蒙牛；第二推荐是伊利；如果都买不到，第三推荐是光明。
美团 > 饿了么 > 京东 | | 外卖首推美团，第二推荐饿了么，第三推荐京东。
美团 > 饿了么 > 京东 | | 我的排序是：第一美团，第二饿了么，第三京东。
美团 > 饿了么 | 京东 | 覆盖面最广的是美团，饿了么位居第二。京东刚刚起步。
""",
    "ko": """
쿠팡 > 컬리 > 지마켓 | | 장보기 앱으로는 쿠팡을 첫 번째로 추천합니다. 두 번째로는 컬리를 추천하고, 세 번째로는 지마켓을 고려해 보세요.
쿠팡 > 컬리 > 지마켓 | | 1순위는 쿠팡입니다. 배송이 빠르기 때문입니다. 2순위는 컬리, 3순위는 지마켓입니다.
쿠팡 > 컬리 | 지마켓 | 가장 평이 좋은 곳은 쿠팡이고, 그 뒤를 컬리가 잇습니다. 지마켓은 할인 행사가 많습니다.
쿠팡 > 컬리 > 지마켓 | | 순위를 매기자면 쿠팡이 1위, 컬리가 2위, 지마켓이 3위입니다.
쿠팡 > 컬리 > 지마켓 | | 제 첫 번째 선택은 쿠팡이고, 다음은 컬리, 마지막은 지마켓입니다.
쿠팡 > 컬리 > 지마켓 | | 가장 먼저 꼽을 곳은 쿠팡, 그다음은 컬리, 그다음은 지마켓입니다.
이마트 > 홈플러스 > 롯데마트 | | 가장 추천하고 싶은 곳은 이마트입니다. 두 번째는 홈플러스, 세 번째는 롯데마트입니다.
이마트 > 홈플러스 > 롯데마트 | | 이마트를 1위로 꼽겠습니다. 2위는 홈플러스이고 3위는 롯데마트입니다.
이마트 > 홈플러스 | 롯데마트 | 만족도가 가장 높은 곳은 이마트이며, 홈플러스가 그 뒤를 이었습니다. 롯데마트는 매장이 적습니다.
이마트 > 홈플러스 > 롯데마트 | | 추천 순서는 이마트, 홈플러스, 롯데마트 순입니다.
이마트 > 홈플러스 > 롯데마트 | | 첫 번째 후보는 이마트, 두 번째 후보는 홈플러스, 마지막 후보는 롯데마트입니다.
삼성 > 엘지 > 위니아 | | 에어컨은 삼성을 가장 먼저 추천하고 싶습니다. 그 다음은 엘지, 세 번째는 위니아입니다.
삼성 > 엘지 > 위니아 | | 추천 1순위는 삼성, 2순위는 엘지, 3순위는 위니아입니다.
서울우유 > 매일유업 > 남양 | | 우유는 서울우유가 첫손에 꼽히고, 매일유업이 두 번째, 남양이 세 번째입니다.
서울우유 > 매일유업 > 남양 | | 저라면 서울우유를 먼저 추천하겠습니다. 두 번째로는 매일유업, 세 번째로는 남양을 추천합니다.
서울우유 > 매일유업 | 남양 | 평가 1위는 서울우유였고 2위는 매일유업이었습니다. 남양은 조사에서 빠졌습니다.
배민 > 요기요 > 땡겨요 | | 첫째는 배민, 둘째는 요기요, 셋째는 땡겨요입니다.
배민 > 요기요 > 땡겨요 | | 가장 좋은 선택은 배민이고, 차선은 요기요, 그다음은 땡겨요입니다.
배민 > 요기요 | 땡겨요 | 배민이 1위를 지켰고 요기요가 2위에 올랐습니다. 땡겨요는 수수료가 낮습니다.
""",
    "ar": """
طلبات > هنقرستيشن > جاهز | | لتوصيل الطعام أضع طلبات في المرتبة الأولى لسرعة التوصيل، وفي المرتبة الثانية هنقرستيشن، وفي المرتبة الثالثة جاهز.
طلبات > هنقرستيشن > جاهز | | الخيار الأفضل هو طلبات، يليه هنقرستيشن، ثم جاهز.
طلبات > هنقرستيشن > جاهز | | اختياري الأول طلبات، واختياري الثاني هنقرستيشن، واختياري الثالث جاهز.
طلبات > هنقرستيشن | جاهز | يتصدر طلبات القائمة، يليه هنقرستيشن. أما جاهز فله عروض أكثر.
طلبات > هنقرستيشن > جاهز | | أولاً طلبات، ثانياً هنقرستيشن، ثالثاً جاهز.
طلبات > هنقرستيشن > جاهز | | يأتي طلبات أولاً، ويأتي هنقرستيشن ثانياً، ثم جاهز ثالثاً.
أوبر > بولت > جيني | | أوبر هو خياري الأول، وبولت هو خياري الثاني، وجيني هو خياري الثالث.
أوبر > بولت > جيني | | في المركز الأول أوبر، وفي المركز الثاني بولت، وفي المركز الثالث جيني.
أوبر > بولت | جيني | التطبيق الأكثر استخداما هو أوبر، يليه بولت. أما جيني فأرخص.
أوبر > بولت > جيني | | أضع أوبر أولاً، ثم بولت، ثم جيني.
أوبر > بولت > جيني | | المرتبة الأولى لأوبر، والمرتبة الثانية لبولت، والمرتبة الثالثة لجيني.
زين > موبايلي > فيرجن | | الأفضل من حيث التغطية زين، ثم موبايلي في المرتبة الثانية، وأخيراً فيرجن.
زين > موبايلي > فيرجن | | تحتل زين المركز الأول، وموبايلي المركز الثاني، وفيرجن المركز الثالث.
المراعي > نادك > الصافي | | أفضل الألبان عندي المراعي، ويأتي نادك في المركز الثاني، والصافي في المركز الثالث.
المراعي > نادك > الصافي | | توصيتي الأولى هي المراعي، والثانية نادك، والثالثة الصافي.
المراعي > نادك | الصافي | احتلت المراعي المرتبة الأولى، تلتها نادك. أما الصافي فلم يشملها الاختبار.
مرسول > كيتا > شقردي | | أنصح أولاً بمرسول، ثم بكيتا، وأخيراً بشقردي.
مرسول > كيتا > شقردي | | رقم واحد عندي مرسول، ورقم اثنان كيتا، ورقم ثلاثة شقردي.
مرسول > كيتا | شقردي | اختياري الأول مرسول والثاني كيتا. أما شقردي فلا يغطي كل المدن.
""",
    "hi": """
ज़ोमैटो > स्विगी > ईटश्योर | | खाना मंगाने के लिए मेरी पहली पसंद ज़ोमैटो है। दूसरे नंबर पर मैं स्विगी को रखूँगा। तीसरे नंबर पर ईटश्योर आता है।
ज़ोमैटो > स्विगी > ईटश्योर | | सबसे ऊपर ज़ोमैटो है, इसके बाद स्विगी, और आखिर में ईटश्योर।
ज़ोमैटो > स्विगी | ईटश्योर | सबसे लोकप्रिय ऐप ज़ोमैटो है, जिसके बाद स्विगी का नंबर आता है। ईटश्योर के ऑफ़र अच्छे हैं।
ज़ोमैटो > स्विगी > ईटश्योर | | पहला स्थान ज़ोमैटो को, दूसरा स्थान स्विगी को और तीसरा स्थान ईटश्योर को मिलता है।
ज़ोमैटो > स्विगी > ईटश्योर | | मेरे हिसाब से ज़ोमैटो नंबर एक है, स्विगी नंबर दो और ईटश्योर नंबर तीन।
जियो > एयरटेल > वोडाफोन | | मेरी नज़र में पहले नंबर पर जियो है। दूसरे नंबर पर एयरटेल आता है और तीसरे पर वोडाफोन।
जियो > एयरटेल > वोडाफोन | | पहली सिफारिश जियो की है, दूसरी एयरटेल की और तीसरी वोडाफोन की।
जियो > एयरटेल | वोडाफोन | सबसे तेज़ जियो है, उसके बाद एयरटेल। वोडाफोन सस्ता है।
जियो > एयरटेल > वोडाफोन | | क्रम इस प्रकार है: जियो, एयरटेल, वोडाफोन।
एयरटेल > जियो > वीआई | | सबसे पहले स्थान पर एयरटेल, फिर जियो और अंत में वीआई आता है।
अमूल > मदर डेयरी > नंदिनी | | दूध के लिए सबसे पहला नाम अमूल का आता है। दूसरा मदर डेयरी का है और तीसरा नंदिनी का।
अमूल > मदर डेयरी > नंदिनी | | पहले पायदान पर अमूल, दूसरे पर मदर डेयरी और तीसरे पर नंदिनी है।
अमूल > मदर डेयरी | नंदिनी | सबसे ज़्यादा अंक अमूल को मिले, दूसरे नंबर पर मदर डेयरी रही। नंदिनी शामिल नहीं थी।
ब्लिंकिट > ज़ेप्टो > इंस्टामार्ट | | मेरी पहली सलाह ब्लिंकिट है, दूसरी ज़ेप्टो और तीसरी इंस्टामार्ट।
ब्लिंकिट > ज़ेप्टो > इंस्टामार्ट | | शीर्ष पर ब्लिंकिट है, उसके बाद ज़ेप्टो, और तीसरे स्थान पर इंस्टामार्ट।
""",
}
"""By language lines of the names in their order, a name beside them, and the text."""


@pytest.mark.parametrize("language", NAMED)
def test_prose_of_a_language_ranks_brands_and_leaves_who_stands_beside_them(language: str) -> None:
    for line in NAMED[language].strip().split("\n"):
        order, beside, text = (part.strip() for part in line.split("|"))
        ranked = order.split(" > ")
        names = [*ranked, *beside.split(", ")] if beside else ranked
        matcher = Matcher([Entity(name, (Alias(name),)) for name in names])
        expected = {name: place for place, name in enumerate(ranked, 1)}
        assert list_ranks(text, matcher.find(text, prompt_language=language)) == expected, text
